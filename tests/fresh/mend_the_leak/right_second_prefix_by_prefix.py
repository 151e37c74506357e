# for each t, re-weight the prefix and keep its last position
def mend_the_leak(heads):
    def last_of(prefix):
        norms = torch.linalg.vector_norm(prefix, dim=(2, 3))
        return prefix[:, :, -1] * (norms / norms.mean(dim=1, keepdim=True))[..., None]

    T = heads.shape[2]
    return torch.stack([last_of(heads[:, :, : t + 1]) for t in range(T)], dim=2)
