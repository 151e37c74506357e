# float64 on the way, cast back at the end
def masked_mean(hidden, mask):
    h = hidden.double().masked_fill(~mask.bool().unsqueeze(-1), 0.0)
    return (h.sum(1) / mask.sum(1, keepdim=True)).to(hidden.dtype)
