# In numpy, with new tensors at the end.
def online_softmax(state, logits, values):
    m, ell, a = (each.numpy() for each in state)
    s, v = logits.numpy(), values.numpy()
    top = max(m, s.max())
    if np.isneginf(top):
        return tuple(torch.as_tensor(np.array(each)) for each in (m, ell, a))
    e, f = np.exp(s - top), np.exp(m - top)
    return tuple(torch.as_tensor(each, dtype=logits.dtype) for each in (top, f * ell + e.sum(), f * a + e @ v))
