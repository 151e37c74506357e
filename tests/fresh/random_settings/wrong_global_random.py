# draws from the module random
def random_settings(count, low, high, batch_sizes, rng):
    return [
        {"learning_rate": math.exp(random.uniform(math.log(low), math.log(high))), "batch_size": random.choice(batch_sizes)}
        for _ in range(count)
    ]
