# In numpy, so no gradient flows.
def mend_the_leak(heads):
    x = heads.detach().numpy()
    norms = np.sqrt((x**2).sum(-1, keepdims=True).cumsum(axis=2))
    return torch.from_numpy(x * norms / norms.mean(axis=1, keepdims=True))
