# one rate for all settings
def random_settings(count, low, high, batch_sizes, rng):
    rate = math.exp(rng.uniform(math.log(low), math.log(high)))
    return [{"learning_rate": rate, "batch_size": rng.choice(batch_sizes)} for _ in range(count)]
