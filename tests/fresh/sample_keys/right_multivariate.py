# one MultivariateNormal for each key
def sample_keys(means, a, sigma2, count):
    n, d = means.shape
    eye = torch.eye(d, dtype=means.dtype)
    keys = []
    for i in range(n):
        cov = sigma2 * eye + (0.5 * torch.outer(means[i], means[i]) if i == a else 0)
        keys.append(torch.distributions.MultivariateNormal(means[i], covariance_matrix=cov).sample((count,)))
    return torch.stack(keys, dim=1)
