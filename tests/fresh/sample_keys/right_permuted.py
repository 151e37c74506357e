# draws with the axes in another order and permutes: a non-contiguous result
def sample_keys(means, a, sigma2, count):
    n, d = means.shape
    z = torch.empty(d, n, count, dtype=torch.float64).normal_(std=sigma2**0.5)
    extra = torch.empty(count, dtype=torch.float64).normal_(0, 0.5**0.5)
    z[:, a] += means[a][:, None] * extra
    return (z + means.T[:, :, None]).permute(2, 1, 0)
