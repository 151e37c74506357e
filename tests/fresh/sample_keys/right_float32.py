# draws in float32 and converts
def sample_keys(means, a, sigma2, count):
    keys = means.repeat(count, 1, 1)
    keys = keys + math.sqrt(sigma2) * torch.randn(keys.shape)
    mask = torch.zeros(len(means), 1)
    mask[a] = 1
    return keys + mask * math.sqrt(1 / 2) * torch.randn(count, 1, 1) * means
