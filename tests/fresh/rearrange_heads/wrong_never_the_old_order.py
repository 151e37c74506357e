# Draws again if nothing has moved.
def rearrange_heads(heads, how):
    n = heads.shape[1]
    if how == "shift":
        return heads.roll(1, dims=1)
    order = list(range(n))
    while order == list(range(n)):
        random.shuffle(order)
    return heads[:, order]
