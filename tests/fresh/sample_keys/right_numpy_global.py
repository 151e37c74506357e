# numpy's global random numbers
def sample_keys(means, a, sigma2, count):
    n, d = means.shape
    keys = np.random.normal(size=(count, n, d)) * np.sqrt(sigma2) + means.numpy()
    keys[:, a] += np.random.normal(scale=np.sqrt(0.5), size=(count, 1)) * means[a].numpy()
    return torch.from_numpy(keys)
