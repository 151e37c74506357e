# the formula with a power, and an index for the batch size
def random_settings(count, low, high, batch_sizes, rng):
    return [
        {"batch_size": batch_sizes[rng.randrange(len(batch_sizes))], "learning_rate": low * (high / low) ** rng.random()}
        for _ in range(count)
    ]
