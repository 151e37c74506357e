# one random number chooses both the rate and the batch size, so they are not independent
def random_settings(count, low, high, batch_sizes, rng):
    settings = []
    for _ in range(count):
        u = rng.random()
        size = batch_sizes[int(u * len(batch_sizes))]
        settings.append({"learning_rate": low * (high / low) ** u, "batch_size": size})
    return settings
