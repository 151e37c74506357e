# all keys of a draw get the same noise
def sample_keys(means, a, sigma2, count):
    noise = math.sqrt(sigma2) * torch.randn(count, 1, means.shape[1], dtype=torch.float64)
    keys = means + noise
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, 1, dtype=torch.float64) * means[a]
    return keys
