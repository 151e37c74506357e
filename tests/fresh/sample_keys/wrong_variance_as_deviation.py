# multiplies the noise by sigma2 in place of its root
def sample_keys(means, a, sigma2, count):
    keys = means + sigma2 * torch.randn(count, *means.shape, dtype=torch.float64)
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, 1, dtype=torch.float64) * means[a]
    return keys
