# detours over numpy, so no gradient flows
def masked_mean(hidden, mask):
    h, m = hidden.detach().numpy(), mask.numpy()
    return torch.from_numpy(((h * m[..., None]).sum(1) / m.sum(1, keepdims=True)).astype(h.dtype))
