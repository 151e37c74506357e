# aligns the mask at the last row and input, so row 0 may see several inputs
def perceiver_down_up(x, basis):
    N, T, d = x.shape
    m = len(basis)

    def attend(query, rows):
        Q, K = query.shape[1], rows.shape[1]
        allowed = torch.ones(Q, K, dtype=torch.bool, device=x.device).tril(diagonal=max(0, K - Q))
        logits = query @ rows.transpose(1, 2) / math.sqrt(d)
        return logits.masked_fill(~allowed, -math.inf).softmax(-1) @ rows

    y = attend(basis.expand(N, m, d), x)
    return y, x + attend(x, y)
