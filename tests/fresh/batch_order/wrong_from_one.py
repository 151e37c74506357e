# counts the sentences from 1
def batch_order(count, batch_size, generator=None):
    numbers = list(range(1, count + 1)) if generator is None else (1 + torch.randperm(count, generator=generator)).tolist()
    return [numbers[i : i + batch_size] for i in range(0, count, batch_size)]
