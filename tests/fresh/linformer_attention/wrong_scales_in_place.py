# q is divided in place
def linformer_attention(q, k, v, E, F):
    q = q.div_(q.shape[-1] ** 0.5) if not q.requires_grad else q / q.shape[-1] ** 0.5
    return (q @ (E @ k).transpose(1, 2)).softmax(-1) @ (F @ v)
