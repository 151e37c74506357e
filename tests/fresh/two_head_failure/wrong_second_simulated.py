# counts random draws
def two_head_failure():
    epsilon = np.random.default_rng().normal(1, math.sqrt(0.5), 1_000_000)
    return float((epsilon < 0).mean())
