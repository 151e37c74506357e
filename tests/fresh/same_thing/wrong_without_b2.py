# b2 is left out
def same_thing(x, A, b1, B, b2):
    return torch.relu(x @ A + b1), B[:, : x.shape[1]].T
