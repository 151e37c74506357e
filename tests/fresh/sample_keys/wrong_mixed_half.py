# half of the draws are copies of the other half
def sample_keys(means, a, sigma2, count):
    half = (count + 1) // 2
    keys = means + math.sqrt(sigma2) * torch.randn(half, *means.shape, dtype=torch.float64)
    keys[:, a] += math.sqrt(0.5) * torch.randn(half, 1, dtype=torch.float64) * means[a]
    return torch.cat([keys, keys])[:count]
