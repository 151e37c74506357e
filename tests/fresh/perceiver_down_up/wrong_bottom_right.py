# the causal mask is aligned at the bottom right
def perceiver_down_up(x, basis):
    d = x.shape[-1]

    def attend(q, kv):
        s = q @ kv.transpose(1, 2) / d**0.5
        rows, columns = s.shape[-2:]
        keep = torch.ones(rows, columns).tril(max(0, columns - rows)).bool()
        return s.masked_fill(~keep, -math.inf).softmax(-1) @ kv

    y = attend(basis.expand(len(x), -1, -1), x)
    return y, x + attend(x, y)
