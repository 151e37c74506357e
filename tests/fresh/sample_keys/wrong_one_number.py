# one length for all draws of a call
def sample_keys(means, a, sigma2, count):
    keys = means + math.sqrt(sigma2) * torch.randn(count, *means.shape, dtype=torch.float64)
    keys[:, a] += math.sqrt(0.5) * torch.randn(1, dtype=torch.float64) * means[a]
    return keys
