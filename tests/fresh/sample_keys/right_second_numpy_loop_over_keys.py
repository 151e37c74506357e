# numpy's generator without a seed, key by key, one array at the end
def sample_keys(means, a, sigma2, count):
    rng = np.random.default_rng()
    mu = means.numpy()
    rows = []
    for i in range(len(mu)):
        row = rng.normal(loc=mu[i], scale=sigma2**0.5, size=(count, mu.shape[1]))
        if i == a:
            row += rng.normal(0, np.sqrt(0.5), size=(count, 1)) * mu[i]
        rows.append(row)
    return torch.from_numpy(np.stack(rows, axis=1))
