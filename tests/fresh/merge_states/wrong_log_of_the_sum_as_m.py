# m is the logsumexp of both, and ell is 1: the same output, but another state.
def merge_states(left, right):
    total = torch.logaddexp(left[0] + left[1].log(), right[0] + right[1].log())
    f, g = (torch.nan_to_num(torch.exp(each - total)) for each in (left[0], right[0]))
    return total, torch.ones_like(total), f[:, None] * left[2] + g[:, None] * right[2]
