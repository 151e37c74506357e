# breadth-first search from each position
def layers_reach(mask, layers):
    T = mask.shape[0]
    out = torch.zeros_like(mask)
    for t in range(T):
        front = {t}
        for _ in range(layers):
            front |= {i for s in front for i in range(T) if mask[s, i]}
        out[t, list(front)] = True
    return out
