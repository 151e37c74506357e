# Drops a side whose m is more than 5 below the other.
def merge_states(left, right):
    m = torch.maximum(left[0], right[0])
    f, g = (torch.nan_to_num(torch.exp(each - m)) for each in (left[0], right[0]))
    f, g = torch.where(f < math.exp(-5), 0.0, f), torch.where(g < math.exp(-5), 0.0, g)
    return m, f * left[1] + g * right[1], f[:, None] * left[2] + g[:, None] * right[2]
