# a naive shuffle that swaps with any place: the orders are not equally likely
def rearrange_heads(heads, how):
    n = heads.shape[1]
    order = list(range(n))
    if how == "shift":
        order = order[-1:] + order[:-1]
    else:
        for i in range(n):
            j = random.randrange(n)
            order[i], order[j] = order[j], order[i]
    return heads[:, order].clone()
