# draws from a range that is too wide and rejects what is outside
def random_settings(count, low, high, batch_sizes, rng):
    def rate():
        while True:
            x = rng.uniform(math.log10(low) - 1, math.log10(high) + 1)
            if math.log10(low) <= x <= math.log10(high):
                return 10**x

    settings = []
    while len(settings) < count:
        settings.append({"learning_rate": rate(), "batch_size": rng.sample(list(batch_sizes), 1)[0]})
    return settings
