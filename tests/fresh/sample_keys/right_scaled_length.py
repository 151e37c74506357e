# one normal number along the mean with the whole variance, the rest is projected out
def sample_keys(means, a, sigma2, count):
    z = torch.randn(count, *means.shape, dtype=torch.float64) * sigma2**0.5
    along = (z[:, a] @ means[a])[:, None]
    wanted = math.sqrt(sigma2 + 0.5) * torch.randn(count, 1, dtype=torch.float64)
    z[:, a] += (wanted - along) * means[a]
    return z + means
