# sorts by random numbers
def batch_order(count, batch_size, generator=None):
    numbers = list(range(count))
    if generator is not None:
        keys = torch.rand(count, generator=generator, dtype=torch.float64).tolist()
        numbers.sort(key=keys.__getitem__)
    return [numbers[i : i + batch_size] for i in range(0, count, batch_size)]
