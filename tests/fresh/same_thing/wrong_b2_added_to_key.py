# b2 is added to each component of the key
def same_thing(x, A, b1, B, b2):
    T = x.shape[1]
    return torch.relu(x @ A + b1), (B + b2)[:, :T].T
