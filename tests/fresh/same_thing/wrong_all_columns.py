# all L keys are returned
def same_thing(x, A, b1, B, b2):
    query = torch.cat((torch.relu(x @ A + b1), torch.ones_like(x[..., :1])), dim=-1)
    return query, torch.cat((B, b2[None])).T
