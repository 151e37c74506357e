# An order from numpy's global generator.
def rearrange_heads(heads, how):
    n = heads.shape[1]
    order = np.random.permutation(n) if how == "shuffle" else np.roll(np.arange(n), 1)
    return heads[:, torch.from_numpy(order)]
