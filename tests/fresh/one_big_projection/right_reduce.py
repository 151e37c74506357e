# Joined two at a time.
def one_big_projection(small):
    from functools import reduce

    return reduce(lambda left, right: torch.cat((left, right), -1), small)
