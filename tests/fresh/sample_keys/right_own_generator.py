# a generator of its own that lives on between calls
generator = torch.Generator().manual_seed(1)

def sample_keys(means, a, sigma2, count):
    n, d = means.shape
    keys = means + math.sqrt(sigma2) * torch.randn(count, n, d, dtype=torch.float64, generator=generator)
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, 1, dtype=torch.float64, generator=generator) * means[a]
    return keys
