# seeds the generator anew, so the second epoch has the same order
def batch_order(count, batch_size, generator=None):
    if generator is None:
        numbers = list(range(count))
    else:
        generator.manual_seed(generator.initial_seed())
        numbers = torch.randperm(count, generator=generator).tolist()
    return [numbers[i : i + batch_size] for i in range(0, count, batch_size)]
