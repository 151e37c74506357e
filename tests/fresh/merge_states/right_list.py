# Returns a list, with a clamped maximum.
def merge_states(left, right):
    m = torch.max(torch.stack([left[0], right[0]], dim=-1), dim=-1).values
    finite = m.clamp_min(-1e300)
    f, g = torch.exp(left[0] - finite), torch.exp(right[0] - finite)
    return [m, f * left[1] + g * right[1], f[:, None] * left[2] + g[:, None] * right[2]]
