# A grid of positions, compared.
def causal_mask(T):
    query, key = torch.meshgrid(torch.arange(T), torch.arange(T), indexing="ij")
    return query.ge(key)
