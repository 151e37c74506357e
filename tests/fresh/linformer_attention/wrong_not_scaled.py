# the logits are not divided
def linformer_attention(q, k, v, E, F):
    return (q @ (E @ k).transpose(1, 2)).softmax(-1) @ (F @ v)
