# random batches, but the numbers of each are sorted
def batch_order(count, batch_size, generator=None):
    numbers = list(range(count)) if generator is None else torch.randperm(count, generator=generator).tolist()
    return [sorted(numbers[i : i + batch_size]) for i in range(0, count, batch_size)]
