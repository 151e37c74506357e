# the second half of the draws mirrors the first
def sample_keys(means, a, sigma2, count):
    half = (count + 1) // 2
    z = math.sqrt(sigma2) * torch.randn(half, *means.shape, dtype=torch.float64)
    z[:, a] += math.sqrt(0.5) * torch.randn(half, 1, dtype=torch.float64) * means[a]
    return (means + torch.cat([z, -z]))[:count]
