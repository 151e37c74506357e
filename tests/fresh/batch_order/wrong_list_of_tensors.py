# a list of tensors, not of lists
def batch_order(count, batch_size, generator=None):
    order = torch.arange(count) if generator is None else torch.randperm(count, generator=generator)
    return list(order.split(batch_size))
