# splits into equal parts, so earlier batches may be smaller
def batch_order(count, batch_size, generator=None):
    numbers = list(range(count)) if generator is None else torch.randperm(count, generator=generator).tolist()
    k = -(-count // batch_size)
    return [list(map(int, part)) for part in np.array_split(numbers, k)]
