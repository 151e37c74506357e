# random without a generator, too
def batch_order(count, batch_size, generator=None):
    numbers = torch.randperm(count, generator=generator).tolist()
    return [numbers[i : i + batch_size] for i in range(0, count, batch_size)]
