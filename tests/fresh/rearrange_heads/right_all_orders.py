# Chooses from the list of all orders.
import itertools


def rearrange_heads(heads, how):
    n = heads.shape[1]
    if how == "shuffle":
        order = random.choice(list(itertools.permutations(range(n))))
    else:
        order = [*range(-1, n - 1)]
    return heads[:, list(order)]
