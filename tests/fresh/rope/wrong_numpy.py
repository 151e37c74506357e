# In numpy, so no gradient flows.
def rope(x, theta=10000.0):
    z = x.detach().cpu().numpy().astype(np.float64)
    d = z.shape[-1]
    phi = np.arange(z.shape[-2])[:, None] * theta ** (-np.arange(0, d, 2) / d)
    out = np.empty_like(z)
    out[..., 0::2] = z[..., 0::2] * np.cos(phi) - z[..., 1::2] * np.sin(phi)
    out[..., 1::2] = z[..., 0::2] * np.sin(phi) + z[..., 1::2] * np.cos(phi)
    return torch.from_numpy(out).to(dtype=x.dtype, device=x.device)
