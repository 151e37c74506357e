"""Fresh answers to top_p_probabilities."""


# Drops from the end as long as enough is left.
def right_drops_from_the_end(logits, p):
    shares = torch.softmax(logits, -1)
    order = shares.argsort()
    keep = shares.clone()
    for i in order.tolist():
        if float(keep.sum() - shares[i]) >= p - 1e-12:
            keep[i] = 0
        else:
            break
    return keep / keep.sum()


# Shifted mask, as in well-known code.
def right_shifted_mask(logits, p):
    values, order = torch.sort(logits, descending=True)
    remove = values.softmax(-1).cumsum(-1) > p
    remove[1:] = remove[:-1].clone()
    remove[0] = False
    masked = logits.clone()
    masked[order[remove]] = float("-inf")
    return masked.softmax(-1)


# accumulate in Python.
def right_accumulate(logits, p):
    shares = logits.softmax(0).tolist()
    order = sorted(range(len(shares)), key=shares.__getitem__, reverse=True)
    sums = list(itertools.accumulate(shares[i] for i in order))
    count = next((n for n, s in enumerate(sums, 1) if s >= p), len(sums))
    total = sums[count - 1]
    return torch.tensor(
        [s / total if i in order[:count] else 0.0 for i, s in enumerate(shares)], dtype=logits.dtype
    )


# searchsorted.
def right_searchsorted(logits, p):
    shares, order = logits.softmax(-1).sort(descending=True)
    count = int(torch.searchsorted(shares.cumsum(-1).contiguous(), torch.tensor(p, dtype=shares.dtype))) + 1
    shares[count:] = 0
    out = torch.empty_like(shares)
    out[order] = shares / shares.sum()
    return out


# Without the shift of the mask.
def wrong_unshifted(logits, p):
    values, order = torch.sort(logits, descending=True)
    remove = values.softmax(-1).cumsum(-1) > p
    remove[0] = False
    masked = logits.clone()
    masked[order[remove]] = float("-inf")
    return masked.softmax(-1)


# p of the rest.
def wrong_rest(logits, p):
    shares, order = logits.softmax(-1).sort(descending=True)
    keep = torch.where(shares.cumsum(-1) - shares < 1 - p, shares, 0.0)
    out = torch.zeros_like(shares)
    out[order] = keep / keep.sum()
    return out


# A threshold p on each probability.
def wrong_threshold(logits, p):
    shares = logits.softmax(-1)
    keep = torch.where(shares >= p, shares, 0.0)
    if keep.sum() == 0:
        keep = shares
    return keep / keep.sum()


# Not renormalised.
def wrong_not_divided(logits, p):
    shares, order = logits.softmax(-1).sort(descending=True)
    keep = torch.where(shares.cumsum(-1) - shares < p, shares, 0.0)
    out = torch.zeros_like(shares)
    out[order] = keep
    return out


# The order is applied the wrong way round.
def wrong_gather(logits, p):
    shares, order = logits.softmax(-1).sort(descending=True)
    keep = torch.where(shares.cumsum(-1) - shares < p, shares, 0.0)
    return (keep / keep.sum()).gather(0, order)


# Always at least two tokens.
def wrong_at_least_two(logits, p):
    shares, order = logits.softmax(-1).sort(descending=True)
    keep = shares.cumsum(-1) - shares < p
    keep[:2] = True
    out = torch.zeros_like(shares)
    out[order] = torch.where(keep, shares, 0.0)
    return out / out.sum()


# Logits are kept and not turned into probabilities.
def wrong_logits(logits, p):
    shares, order = logits.softmax(-1).sort(descending=True)
    out = torch.full_like(logits, -math.inf)
    keep = order[shares.cumsum(-1) - shares < p]
    out[keep] = logits[keep]
    return out


# Tokens are dropped from the least likely one on.
def right_from_the_tail(logits, p):
    q = logits.double().softmax(-1)
    q_sorted, order = q.sort()
    without = 1 - q_sorted.cumsum(0)      # what is left if this one and all smaller ones go
    drop = without >= p
    drop[-1] = False
    out = q.clone()
    out[order[drop]] = 0
    return (out / out.sum()).to(logits.dtype)


# Exponentials of logits near 1000 are infinite.
def wrong_overflow(logits, p):
    q = logits.exp() / logits.exp().sum()
    order = q.argsort(descending=True)
    s = q[order]
    out = torch.zeros_like(logits)
    out[order] = s * (s.cumsum(0) - s < p)
    return out / out.sum()


# IndexError with p = 1, where rounding keeps the sum below 1.
def wrong_index_at_one(logits, p):
    q, order = logits.softmax(-1).sort(descending=True)
    c = q.cumsum(0)
    last = int((c < p).sum())
    order[last]                           # IndexError where rounding keeps the sum below p
    out = torch.zeros_like(logits)
    out[order[: last + 1]] = q[: last + 1]
    return out / out.sum()


# p above 0.95 counts as 0.95.
def wrong_capped(logits, p):
    shares, order = logits.softmax(-1).sort(descending=True)
    kept = shares * (shares.cumsum(0) - shares < min(p, 0.95))
    out = torch.zeros_like(logits).scatter(0, order, kept)
    return out / out.sum()


# at most 40 tokens: ignores p beyond it
def wrong_at_most_forty(logits, p):
    ordered, order = logits.softmax(0).sort(descending=True)
    count = len(logits) if p == 1 else min(int((ordered.cumsum(0) < p).sum()) + 1, len(logits))
    count = min(count, 40)
    out = torch.zeros_like(ordered)
    out[order[:count]] = ordered[:count]
    return out / out.sum()


# p above 0.99 counts as 0.99
def wrong_fourth_cap_99(logits, p):
    p = min(p, 0.99) if p < 1 else p
    s, i = logits.softmax(-1).sort(descending=True)
    s = torch.where(s.cumsum(0) - s < p, s, 0.0)
    return torch.zeros_like(logits).scatter(0, i, s / s.sum())


# p below 0.05 counts as 0.05
def wrong_fourth_min_p(logits, p):
    p = max(p, 0.05)
    s, i = logits.softmax(-1).sort(descending=True)
    s = torch.where(s.cumsum(0) - s < p, s, 0.0)
    return torch.zeros_like(logits).scatter(0, i, s / s.sum())


# exponentials without subtracting the largest logit
def wrong_fifth_plain_exp(logits, p):
    q = logits.exp() / logits.exp().sum()
    s, order = q.sort(descending=True)
    kept = torch.zeros_like(s).scatter(0, order, s * (s.cumsum(0) - s < p))
    return kept / kept.sum()


# p = 1 is made 0.999, against rounding: very unlikely tokens are lost.
def wrong_tenth_point_nine_nine_nine(logits, p):
    p = min(p, 0.999)
    q = logits.softmax(0)
    v, i = q.sort(descending=True)
    out = torch.zeros_like(q).scatter(0, i, v * (v.cumsum(0) - v < p))
    return out / out.sum()
