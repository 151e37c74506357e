# draws numbers with replacement
def batch_order(count, batch_size, generator=None):
    numbers = list(range(count)) if generator is None else torch.randint(count, (count,), generator=generator).tolist()
    return [numbers[i : i + batch_size] for i in range(0, count, batch_size)]
