# nan_to_num on the states, so an empty row has a finite m.
def merge_states(left, right):
    m1, m2 = torch.nan_to_num(left[0]), torch.nan_to_num(right[0])
    m = torch.maximum(m1, m2)
    f, g = torch.exp(m1 - m), torch.exp(m2 - m)
    return m, f * left[1] + g * right[1], f[:, None] * left[2] + g[:, None] * right[2]
