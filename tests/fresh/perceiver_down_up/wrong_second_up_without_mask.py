# on the way up every position attends to all rows
def perceiver_down_up(x, basis):
    N, T, d = x.shape
    m = len(basis)
    allowed = torch.ones(m, T, dtype=torch.bool, device=x.device).tril()
    logits = basis @ x.transpose(1, 2) / math.sqrt(d)
    y = logits.masked_fill(~allowed, -math.inf).softmax(-1) @ x
    return y, x + (x @ y.transpose(1, 2) / math.sqrt(d)).softmax(-1) @ y
