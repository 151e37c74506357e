# the generator seeds Python's random, which shuffles
def batch_order(count, batch_size, generator=None):
    numbers = list(range(count))
    if generator is not None:
        seed = torch.randint(2**62, (1,), generator=generator).item()
        random.Random(seed).shuffle(numbers)
    batches = []
    while numbers:
        batches.append(numbers[:batch_size])
        numbers = numbers[batch_size:]
    return batches
