# a number of its own for each entry of key a: right only for means along the axes
def sample_keys(means, a, sigma2, count):
    keys = means + math.sqrt(sigma2) * torch.randn(count, *means.shape, dtype=torch.float64)
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, means.shape[1], dtype=torch.float64) * means[a]
    return keys
