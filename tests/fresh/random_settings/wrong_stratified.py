# one random rate in each of `count` equal parts (Latin hypercube), so draws are not independent
def random_settings(count, low, high, batch_sizes, rng):
    places = [(i + rng.random()) / count for i in range(count)]
    rng.shuffle(places)
    return [{"learning_rate": low * (high / low) ** u, "batch_size": rng.choice(batch_sizes)} for u in places]
