# torch.distributions with one covariance matrix for each key
def sample_keys(means, a, sigma2, count):
    n, d = means.shape
    covariances = sigma2 * torch.eye(d, dtype=torch.float64).repeat(n, 1, 1)
    covariances[a] += torch.outer(means[a], means[a]) / 2
    return torch.distributions.MultivariateNormal(means, covariance_matrix=covariances).sample((count,))
