# ReLU after b2 was added to the hidden vector's place
def same_thing(x, A, b1, B, b2):
    T = x.shape[1]
    query = torch.cat((x @ A + b1, torch.ones_like(x[..., :1])), dim=-1)
    return query, torch.cat((B, b2[None]))[:, :T].T
