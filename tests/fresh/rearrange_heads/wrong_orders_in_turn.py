# Goes through all orders one after the other: nothing is drawn.
import itertools

COUNT = itertools.count()


def rearrange_heads(heads, how):
    n = heads.shape[1]
    if how == "shift":
        return heads.roll(1, dims=1)
    orders = list(itertools.permutations(range(n)))
    return heads[:, list(orders[next(COUNT) * 7 % len(orders)])]
