# the length of key a reuses a noise number of key a
def sample_keys(means, a, sigma2, count):
    z = torch.randn(count, *means.shape, dtype=torch.float64)
    keys = means + math.sqrt(sigma2) * z
    keys[:, a] += math.sqrt(0.5) * z[:, a, :1] * means[a]
    return keys
