# the settings are sorted by rate
def random_settings(count, low, high, batch_sizes, rng):
    found = [
        {"learning_rate": math.exp(rng.uniform(math.log(low), math.log(high))), "batch_size": rng.choice(batch_sizes)}
        for _ in range(count)
    ]
    return sorted(found, key=lambda s: s["learning_rate"])
