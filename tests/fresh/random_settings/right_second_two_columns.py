# first all rates, then all batch sizes with choices, zipped into dicts
def random_settings(count, low, high, batch_sizes, rng):
    u = [rng.random() for _ in range(count)]
    rates = (low ** (1 - each) * high**each for each in u)
    sizes = rng.choices(batch_sizes, k=count)
    return [{"learning_rate": rate, "batch_size": size} for rate, size in zip(rates, sizes)]
