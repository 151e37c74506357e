# softmax over the T keys, mixed afterwards
def linformer_attention(q, k, v, E, F):
    weights = (q @ k.transpose(1, 2) / q.shape[-1] ** 0.5).softmax(-1)
    return (weights @ E.T) @ (F @ v)
