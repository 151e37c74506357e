# leaves b2 out
def same_thing(x, A, b1, B, b2):
    T = x.shape[1]
    return torch.relu(x @ A + b1), B[:, :T].T
