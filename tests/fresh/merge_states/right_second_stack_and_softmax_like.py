# stacks both sides and sums over the new axis; an empty maximum is replaced by 0 for the exponents
def merge_states(left, right):
    m, ell, a = (torch.stack(parts) for parts in zip(left, right))  # (2, T), (2, T), (2, T, d)
    top = m.amax(dim=0)
    factors = torch.exp(m - torch.nan_to_num(top, neginf=0.0))
    return top, (factors * ell).sum(dim=0), torch.einsum("st,std->td", factors, a)
