# sorts the numbers by random keys and cuts pieces off the front until nothing is left
def batch_order(count, batch_size, generator=None):
    left = list(range(count))
    if generator is not None:
        keys = torch.rand(count, generator=generator, dtype=torch.float64).tolist()
        left.sort(key=keys.__getitem__)
    batches = []
    while left:
        batches.append(left[:batch_size])
        del left[:batch_size]
    return batches
