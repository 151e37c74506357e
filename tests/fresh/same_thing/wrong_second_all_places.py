# the key has all L rows although the text has only T positions
def same_thing(x, A, b1, B, b2):
    hidden = torch.relu(x @ A + b1)
    query = torch.cat([hidden, torch.ones_like(hidden[..., :1])], dim=-1)
    return query, torch.cat([B, b2[None]], dim=0).T
