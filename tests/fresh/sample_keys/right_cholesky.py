# batched Cholesky factors and einsum
def sample_keys(means, a, sigma2, count):
    n, d = means.shape
    cov = sigma2 * torch.eye(d, dtype=torch.float64).repeat(n, 1, 1)
    cov[a] += torch.outer(means[a], means[a]) / 2
    z = torch.randn(count, n, d, dtype=torch.float64)
    return means + torch.einsum("nij,cnj->cni", torch.linalg.cholesky(cov), z)
