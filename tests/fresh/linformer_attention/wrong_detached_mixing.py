# E and F get no gradients
def linformer_attention(q, k, v, E, F):
    E, F = E.detach(), F.detach()
    return (q @ (E @ k).transpose(1, 2) / q.shape[-1] ** 0.5).softmax(-1) @ (F @ v)
