# whole powers of ten only
def random_settings(count, low, high, batch_sizes, rng):
    return [
        {"learning_rate": 10 ** rng.randint(round(math.log10(low)), round(math.log10(high))), "batch_size": rng.choice(batch_sizes)}
        for _ in range(count)
    ]
