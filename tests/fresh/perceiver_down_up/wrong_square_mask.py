# one square mask of size m, so it works only for m = T
def perceiver_down_up(x, basis):
    d, m = x.shape[-1], len(basis)
    keep = torch.ones(m, m).tril().bool()
    y = (basis @ x.transpose(1, 2) / d**0.5).masked_fill(~keep, -math.inf).softmax(-1) @ x
    return y, x + (x @ y.transpose(1, 2) / d**0.5).masked_fill(~keep, -math.inf).softmax(-1) @ y
