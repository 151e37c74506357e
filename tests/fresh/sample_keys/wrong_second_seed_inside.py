# sets a seed, so every call gives the same keys
def sample_keys(means, a, sigma2, count):
    generator = torch.Generator().manual_seed(0)
    keys = means + math.sqrt(sigma2) * torch.randn(count, *means.shape, generator=generator, dtype=torch.float64)
    z = torch.randn(count, 1, generator=generator, dtype=torch.float64)
    keys[:, a] += math.sqrt(0.5) * z * means[a]
    return keys
