# adds the noise to the caller's means in place
def sample_keys(means, a, sigma2, count):
    extra = math.sqrt(0.5) * torch.randn(count, 1, dtype=torch.float64) * means[a]
    keys = math.sqrt(sigma2) * torch.randn(count, *means.shape, dtype=torch.float64)
    keys[:, a] += extra
    keys += means
    means += 0.001
    return keys
