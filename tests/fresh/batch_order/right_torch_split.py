# torch.split and tolist
def batch_order(count, batch_size, generator=None):
    numbers = torch.arange(count) if generator is None else torch.randperm(count, generator=generator)
    return [part.tolist() for part in numbers.split(batch_size)]
