# starts a new generator from the first seed, so every call gives the same order
def batch_order(count, batch_size, generator=None):
    order = torch.arange(count)
    if generator is not None:
        fresh = torch.Generator().manual_seed(generator.initial_seed())
        order = torch.randperm(count, generator=fresh)
    order = order.tolist()
    return [order[i : i + batch_size] for i in range(0, count, batch_size)]
