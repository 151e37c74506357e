# the last smaller batch is lost
def batch_order(count, batch_size, generator=None):
    numbers = list(range(count)) if generator is None else torch.randperm(count, generator=generator).tolist()
    return [numbers[i * batch_size : (i + 1) * batch_size] for i in range(count // batch_size)]
