# numpy on the way, and a numpy number at the end.
def perplexity(logits, targets):
    z, y = logits.detach().numpy(), targets.numpy()
    log_p = z - np.logaddexp.reduce(z, axis=-1, keepdims=True)
    chosen = np.take_along_axis(log_p, y[..., None], axis=-1)[..., 0]
    return np.exp(-chosen[y != 0].mean())
