# A list of lists.
def causal_mask(T):
    return [[i <= t for i in range(T)] for t in range(T)]
