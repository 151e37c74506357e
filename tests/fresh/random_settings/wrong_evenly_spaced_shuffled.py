# evenly spaced logarithms in random order
def random_settings(count, low, high, batch_sizes, rng):
    places = [(i + 0.5) / count for i in range(count)]
    rng.shuffle(places)
    return [{"learning_rate": low * (high / low) ** u, "batch_size": rng.choice(batch_sizes)} for u in places]
