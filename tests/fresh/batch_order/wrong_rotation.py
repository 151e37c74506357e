# a random rotation of the order, not a random order
def batch_order(count, batch_size, generator=None):
    numbers = list(range(count))
    if generator is not None:
        k = int(torch.randint(count, (1,), generator=generator))
        numbers = numbers[k:] + numbers[:k]
    return [numbers[i : i + batch_size] for i in range(0, count, batch_size)]
