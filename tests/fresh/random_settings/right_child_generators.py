# seeds numpy with a number from rng and draws everything there
def random_settings(count, low, high, batch_sizes, rng):
    g = np.random.default_rng(rng.getrandbits(63))
    rates = 10 ** g.uniform(math.log10(low), math.log10(high), size=count)
    return [{"learning_rate": float(r), "batch_size": int(g.choice(batch_sizes))} for r in rates]
