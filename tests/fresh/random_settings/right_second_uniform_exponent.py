# draws the exponent of 10 with uniform and the batch size with randrange
def random_settings(count, low, high, batch_sizes, rng):
    settings = []
    for _ in range(count):
        exponent = rng.uniform(math.log10(low), math.log10(high))
        size = batch_sizes[rng.randrange(len(batch_sizes))]
        settings.append(dict(batch_size=size, learning_rate=10.0**exponent))
    return settings
