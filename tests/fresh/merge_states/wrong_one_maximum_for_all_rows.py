# One common maximum for all rows.
def merge_states(left, right):
    m = torch.maximum(left[0].max(), right[0].max())
    f, g = torch.exp(left[0] - m), torch.exp(right[0] - m)
    return m.expand_as(left[0]), f * left[1] + g * right[1], f[:, None] * left[2] + g[:, None] * right[2]
