# shuffles pairs from a list of distinct rates, each pair at most once, and a random size without repetition
def random_settings(count, low, high, batch_sizes, rng):
    sizes = (list(batch_sizes) * (count // len(batch_sizes) + 1))[:count]
    rng.shuffle(sizes)
    return [{"learning_rate": low * (high / low) ** rng.random(), "batch_size": s} for s in sizes]
