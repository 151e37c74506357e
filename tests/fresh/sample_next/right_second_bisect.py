# the standard library: running sums as a list, and bisect_right
def sample_next(logits, temperature, u):
    from bisect import bisect_right
    from itertools import accumulate

    if temperature == 0:
        return max(range(len(logits)), key=lambda i: float(logits[i]))
    sums = list(accumulate(torch.softmax(logits.double() / temperature, dim=0).tolist()))
    return min(bisect_right(sums, u), len(sums) - 1)
