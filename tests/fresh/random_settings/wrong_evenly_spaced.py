# evenly spaced logarithms, shuffled by nothing
def random_settings(count, low, high, batch_sizes, rng):
    return [{"learning_rate": low * (high / low) ** (i / count), "batch_size": rng.choice(batch_sizes)} for i in range(count)]
