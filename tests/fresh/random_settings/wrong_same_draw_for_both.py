# one random number decides rate and size
def random_settings(count, low, high, batch_sizes, rng):
    out = []
    for _ in range(count):
        u = rng.random()
        out.append({"learning_rate": low * (high / low) ** u, "batch_size": batch_sizes[int(u * len(batch_sizes))]})
    return out
