# draws from torch's global generator
def batch_order(count, batch_size, generator=None):
    numbers = list(range(count)) if generator is None else torch.randperm(count).tolist()
    return [numbers[i : i + batch_size] for i in range(0, count, batch_size)]
