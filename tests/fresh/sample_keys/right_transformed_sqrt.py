# the symmetric square root of the covariance matrix
def sample_keys(means, a, sigma2, count):
    n, d = means.shape
    mu = means[a]
    root = sigma2**0.5 * torch.eye(d, dtype=torch.float64) + ((sigma2 + 0.5) ** 0.5 - sigma2**0.5) * torch.outer(mu, mu)
    keys = torch.normal(means.expand(count, n, d), sigma2**0.5)
    keys[:, a] = mu + torch.randn(count, d, dtype=torch.float64) @ root
    return keys
