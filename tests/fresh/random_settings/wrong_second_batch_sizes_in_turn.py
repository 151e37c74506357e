# deals the batch sizes out in turn and does not draw them
def random_settings(count, low, high, batch_sizes, rng):
    return [
        {"learning_rate": low * (high / low) ** rng.random(), "batch_size": batch_sizes[i % len(batch_sizes)]}
        for i in range(count)
    ]
