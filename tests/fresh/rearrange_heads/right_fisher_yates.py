# Swaps by hand, each with one of the places not yet done.
def rearrange_heads(heads, how):
    n = heads.shape[1]
    order = [(i - 1) % n for i in range(n)]
    if how == "shuffle":
        for i in range(n - 1, 0, -1):
            j = int(torch.randint(0, i + 1, ()))
            order[i], order[j] = order[j], order[i]
    return heads[:, order, :, :]
