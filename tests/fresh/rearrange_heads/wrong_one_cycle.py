# Sattolo's swaps: no head ever stays in its place.
def rearrange_heads(heads, how):
    n = heads.shape[1]
    if how == "shift":
        return heads.roll(1, dims=1)
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = random.randrange(i)
        order[i], order[j] = order[j], order[i]
    return heads[:, order]
