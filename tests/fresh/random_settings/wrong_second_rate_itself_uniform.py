# draws the rate and not its logarithm uniformly
def random_settings(count, low, high, batch_sizes, rng):
    return [{"learning_rate": rng.uniform(low, high), "batch_size": rng.choice(batch_sizes)} for _ in range(count)]
