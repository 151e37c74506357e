# sets the seed, so every call returns the same keys
def sample_keys(means, a, sigma2, count):
    torch.manual_seed(0)
    keys = means + math.sqrt(sigma2) * torch.randn(count, *means.shape, dtype=torch.float64)
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, 1, dtype=torch.float64) * means[a]
    return keys
