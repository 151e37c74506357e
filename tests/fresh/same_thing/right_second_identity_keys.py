# width T: the query is the row of logits itself and the keys are the unit vectors
def same_thing(x, A, b1, B, b2):
    T = x.shape[1]
    query = torch.relu(x @ A + b1) @ B[:, :T] + b2[:T]
    key = torch.eye(T, dtype=x.dtype, device=x.device)
    return query, key
