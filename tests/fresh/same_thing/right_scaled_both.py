# queries twice as large and keys half as large, as a list
def same_thing(x, A, b1, B, b2):
    T = x.shape[1]
    query = 2 * torch.cat([torch.relu(x @ A + b1), torch.ones(*x.shape[:2], 1).to(x)], dim=2)
    return [query, torch.cat([B, b2.unsqueeze(0)]).t()[:T] / 2]
