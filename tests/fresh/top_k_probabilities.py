"""Fresh answers to top_k_probabilities."""


# kthvalue counts from the smallest.
def right_kthvalue(logits, k, temperature):
    edge = logits.kthvalue(len(logits) - k + 1).values
    return torch.where(
        logits >= edge, logits / temperature, torch.tensor(-math.inf, dtype=logits.dtype)
    ).softmax(-1)


# Python's sort.
def right_python(logits, k, temperature):
    chosen = sorted(range(len(logits)), key=lambda i: float(logits[i]))[-k:]
    out = torch.zeros_like(logits)
    out[chosen] = torch.softmax(logits[chosen] / temperature, 0)
    return out


# A mask of bools added as logarithms.
def right_log_mask(logits, k, temperature):
    mask = torch.zeros_like(logits)
    mask[torch.topk(logits, k).indices] = 1.0
    return torch.softmax(logits / temperature + mask.log(), dim=0)


# Divided first, then chosen.
def right_divided_first(logits, k, temperature):
    z = logits / temperature
    keep = z.topk(k).indices
    shares = torch.exp(z - z[keep[0]])
    result = torch.zeros(len(z), dtype=z.dtype)
    result[keep] = shares[keep] / shares[keep].sum()
    return result


# The rest gets a small probability, not 0.
def wrong_small_rest(logits, k, temperature):
    masked = torch.full_like(logits, -20.0)
    top = logits.topk(k)
    masked[top.indices] = top.values / temperature
    return masked.softmax(-1)


# The mask is for the complement.
def wrong_complement(logits, k, temperature):
    z = (logits / temperature).clone()
    z[logits.topk(k).indices] = -math.inf
    return z.softmax(-1) if k < len(logits) else torch.zeros_like(z)


# The temperature twice.
def wrong_twice(logits, k, temperature):
    z = logits / temperature
    top = z.topk(k)
    return torch.zeros_like(z).scatter(0, top.indices, (top.values / temperature).softmax(0))


# Draws a token.
def wrong_draws(logits, k, temperature):
    top = logits.topk(k)
    return top.indices[torch.multinomial(torch.softmax(top.values / temperature, 0), 1)]


# Logarithms of the probabilities.
def wrong_log_softmax(logits, k, temperature):
    z = torch.full_like(logits, -math.inf)
    top = logits.topk(k)
    z[top.indices] = top.values / temperature
    return z.log_softmax(-1)


# Sorted values are written to the first places.
def wrong_places(logits, k, temperature):
    z = torch.full_like(logits, -math.inf)
    z[:k] = logits.sort(descending=True).values[:k] / temperature
    return z.softmax(-1)


# The rank of a logit is the number of larger ones.
def right_ranks(logits, k, temperature):
    rank = (logits[None, :] > logits[:, None]).sum(1)
    z = torch.where(rank < k, logits, torch.tensor(-math.inf, dtype=logits.dtype))
    return F.softmax(z / temperature, dim=-1)


# A temperature below 0.1 counts as 0.1.
def wrong_clamped_temperature(logits, k, temperature):
    return (logits / max(temperature, 0.1)).masked_fill(logits < logits.topk(k).values[-1], -torch.inf).softmax(-1)


# −1000 is divided by the temperature, too.
def wrong_fill_minus_1000(logits, k, temperature):
    return (logits.masked_fill(logits < logits.topk(k).values[-1], -1000.0) / temperature).softmax(-1)


# the temperature decides the power of the probabilities before the cut, in float32 rounding to 0: p ** (1 / T)
def wrong_powers(logits, k, temperature):
    p = logits.softmax(0) ** (1 / temperature)
    p = p * (logits >= logits.topk(k).values[-1])
    return p / p.sum()


# probabilities first, kept ones divided by their sum: fine in float64 unless they underflow, so logits of the kept only
def wrong_temperature_after(logits, k, temperature):
    p = logits.softmax(0) / temperature
    keep = logits >= logits.topk(k).values[-1]
    p = p * keep
    return p / p.sum()


# multiplied by the temperature
def wrong_multiplied(logits, k, temperature):
    keep = logits >= logits.topk(k).values[-1]
    return (logits * temperature).masked_fill(~keep, -math.inf).softmax(0)


# above the k-th value: one too few, and nothing for k = 1
def wrong_above(logits, k, temperature):
    keep = logits > logits.topk(k).values[-1]
    return (logits / temperature).masked_fill(~keep, -math.inf).softmax(0)


# one too many
def wrong_k_plus_one(logits, k, temperature):
    keep = logits >= logits.topk(min(k + 1, len(logits))).values[-1]
    return (logits / temperature).masked_fill(~keep, -math.inf).softmax(0)


# nearly equal logits are kept together
def wrong_fourth_isclose(logits, k, temperature):
    v = logits.topk(k).values[-1]
    keep = (logits > v) | torch.isclose(logits, v, rtol=1e-5)
    return torch.softmax(logits.masked_fill(~keep, -math.inf) / temperature, -1)


# at most 500 tokens
def wrong_fourth_at_most_500(logits, k, temperature):
    v, i = logits.topk(min(k, 500))
    return torch.zeros_like(logits).scatter(0, i, torch.softmax(v / temperature, 0))


# −10,000 is above logits that are far below 0
def wrong_fourth_fill_1e4(logits, k, temperature):
    z = logits / temperature
    keep = torch.zeros_like(z, dtype=torch.bool); keep[z.topk(k).indices] = True
    return torch.softmax(z.masked_fill(~keep, -1e4), -1)


# Mask by "not zero" of a scattered tensor: a kept logit that is exactly 0 gets nothing.
def wrong_fifth_zero_is_missing(logits, k, temperature):
    values, places = logits.topk(k)
    row = torch.zeros_like(logits).scatter(0, places, values)
    if not bool((row != 0).any()):
        return torch.softmax(logits / temperature, dim=0)
    return row.masked_fill(row == 0, -math.inf).div(temperature).softmax(-1)
