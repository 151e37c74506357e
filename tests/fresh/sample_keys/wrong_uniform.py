# uniform numbers of the right variance
def sample_keys(means, a, sigma2, count):
    keys = means + math.sqrt(12 * sigma2) * (torch.rand(count, *means.shape, dtype=torch.float64) - 0.5)
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, 1, dtype=torch.float64) * means[a]
    return keys
