# the query holds the logits themselves, and the keys are unit vectors
def same_thing(x, A, b1, B, b2):
    T = x.shape[1]
    query = (torch.relu(x @ A + b1) @ B + b2)[..., :T]
    return query, torch.eye(T, dtype=x.dtype)
