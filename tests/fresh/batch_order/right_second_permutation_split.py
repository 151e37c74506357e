# torch.split on randperm or arange, each piece to a list
def batch_order(count, batch_size, generator=None):
    if count == 0:
        return []
    numbers = torch.arange(count) if generator is None else torch.randperm(count, generator=generator)
    return [piece.tolist() for piece in numbers.split(batch_size)]
