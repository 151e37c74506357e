# Swaps each place with any place, so some orders are likelier than others.
def rearrange_heads(heads, how):
    n = heads.shape[1]
    if how == "shift":
        return heads.roll(1, dims=1)
    order = list(range(n))
    for i in range(n):
        j = random.randrange(n)
        order[i], order[j] = order[j], order[i]
    return heads[:, order]
