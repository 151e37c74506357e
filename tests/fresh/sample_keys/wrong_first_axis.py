# the variance along axis a and not along the mean
def sample_keys(means, a, sigma2, count):
    keys = means + math.sqrt(sigma2) * torch.randn(count, *means.shape, dtype=torch.float64)
    keys[:, a, a] += math.sqrt(0.5) * torch.randn(count, dtype=torch.float64)
    return keys
