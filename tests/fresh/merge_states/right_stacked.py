# Both sides in one tensor, and nan_to_num for rows without a key.
def merge_states(left, right):
    m, ell, a = (torch.stack(parts) for parts in zip(left, right))
    top = m.amax(dim=0)
    f = torch.exp(m - top).nan_to_num(0.0)
    return top, (f * ell).sum(0), torch.einsum("st,std->td", f, a)
