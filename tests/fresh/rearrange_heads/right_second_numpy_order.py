# an index array: shifted by modular arithmetic, shuffled by numpy's global generator
def rearrange_heads(heads, how):
    n = heads.shape[1]
    order = (np.arange(n) - 1) % n
    if how == "shuffle":
        np.random.shuffle(order)
    return heads.index_select(1, torch.as_tensor(order, device=heads.device))
