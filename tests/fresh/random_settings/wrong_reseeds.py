# seeds rng with 0 first
def random_settings(count, low, high, batch_sizes, rng):
    rng.seed(0)
    return [
        {"learning_rate": math.exp(rng.uniform(math.log(low), math.log(high))), "batch_size": rng.choice(batch_sizes)}
        for _ in range(count)
    ]
