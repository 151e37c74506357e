# No care for rows in which both sides are empty.
def merge_states(left, right):
    m = torch.maximum(left[0], right[0])
    f, g = torch.exp(left[0] - m), torch.exp(right[0] - m)
    return m, f * left[1] + g * right[1], f[:, None] * left[2] + g[:, None] * right[2]
