# all rates first, then all sizes; numpy scalars
def random_settings(count, low, high, batch_sizes, rng):
    u = np.array([rng.random() for _ in range(count)])
    rates = np.exp(np.log(low) + u * (np.log(high) - np.log(low)))
    sizes = rng.choices(batch_sizes, k=count)
    return [dict(learning_rate=rate, batch_size=np.int64(size)) for rate, size in zip(rates, sizes)]
