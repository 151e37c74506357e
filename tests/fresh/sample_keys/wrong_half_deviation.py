# a standard deviation of one half along the mean
def sample_keys(means, a, sigma2, count):
    keys = means + math.sqrt(sigma2) * torch.randn(count, *means.shape, dtype=torch.float64)
    keys[:, a] += 0.5 * torch.randn(count, 1, dtype=torch.float64) * means[a]
    return keys
