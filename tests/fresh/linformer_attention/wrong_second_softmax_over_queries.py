# the softmax is over the positions and not over the mixed rows
def linformer_attention(q, k, v, E, F):
    logits = q @ (E @ k).transpose(1, 2) / math.sqrt(q.shape[-1])
    return torch.softmax(logits, dim=1) @ (F @ v)
