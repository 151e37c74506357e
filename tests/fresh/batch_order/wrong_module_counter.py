# mixes in a counter of calls, so the same seed gives other orders later
calls = [0]


def batch_order(count, batch_size, generator=None):
    calls[0] += 1
    numbers = list(range(count))
    if generator is not None:
        seed = int(torch.randint(2**31, (1,), generator=generator)) + calls[0]
        random.Random(seed).shuffle(numbers)
    return [numbers[i : i + batch_size] for i in range(0, count, batch_size)]
