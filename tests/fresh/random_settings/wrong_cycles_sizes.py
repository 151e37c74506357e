# batch sizes take turns
def random_settings(count, low, high, batch_sizes, rng):
    return [
        {"learning_rate": math.exp(rng.uniform(math.log(low), math.log(high))), "batch_size": batch_sizes[i % len(batch_sizes)]}
        for i in range(count)
    ]
