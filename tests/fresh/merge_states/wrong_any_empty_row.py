# Returns the right side as soon as one row of the left one is empty.
def merge_states(left, right):
    if torch.isinf(left[0]).any():
        return right
    if torch.isinf(right[0]).any():
        return left
    m = torch.maximum(left[0], right[0])
    f, g = torch.exp(left[0] - m), torch.exp(right[0] - m)
    return m, f * left[1] + g * right[1], f[:, None] * left[2] + g[:, None] * right[2]
