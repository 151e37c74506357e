# leaves out the numbers that do not fill a batch
def batch_order(count, batch_size, generator=None):
    order = list(range(count)) if generator is None else torch.randperm(count, generator=generator).tolist()
    return [order[i : i + batch_size] for i in range(0, count - batch_size + 1, batch_size)]
