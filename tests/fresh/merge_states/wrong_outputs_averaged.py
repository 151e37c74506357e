# Merges the outputs a / ell with equal weights.
def merge_states(left, right):
    m = torch.maximum(left[0], right[0])
    f, g = (torch.nan_to_num(torch.exp(each - m)) for each in (left[0], right[0]))
    ell = f * left[1] + g * right[1]
    mean = (left[2] / left[1][:, None] + right[2] / right[1][:, None]).nan_to_num() / 2
    return m, ell, mean * ell[:, None]
