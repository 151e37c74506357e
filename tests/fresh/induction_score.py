"""Fresh answers to induction_score."""


# Weighted mean by hand.
def right_weighted(weights, mask):
    m = mask.to(weights.dtype)[:, None, None]
    per_query = (weights * m).sum(-1)
    has = mask.any(-1).to(weights.dtype)[:, None, None]
    return (per_query * has).sum((0, -1)) / has.sum()


# Rows are flattened first.
def right_flattened(weights, mask):
    B, L, H, T, _ = weights.shape
    w = weights.permute(0, 3, 1, 2, 4).reshape(B * T, L, H, T)
    m = mask.reshape(B * T, T)
    used = m.any(1)
    return (w[used] * m[used][:, None, None]).sum(-1).mean(0)


# where with 0.
def right_where(weights, mask):
    inside = torch.where(mask[:, None, None], weights, torch.zeros((), dtype=weights.dtype)).sum(-1)
    count = int((mask.sum(-1) > 0).sum())
    return inside.sum(-1).sum(0) / count


# A list that is averaged.
def right_list(weights, mask):
    parts = []
    for w, m in zip(weights, mask, strict=True):
        for t in torch.nonzero(m.any(1)).flatten().tolist():
            parts.append((w[:, :, t] * m[t]).sum(-1))
    return torch.stack(parts).mean(dim=0)


# mean over the last axis.
def wrong_mean_of_keys(weights, mask):
    inside = (weights * mask[:, None, None]).mean(-1)
    return inside.sum((0, 3)) / mask.any(-1).sum()


# Selected entries are averaged.
def wrong_selected(weights, mask):
    b, t, i = mask.nonzero(as_tuple=True)
    return weights[b, :, :, t, i].mean(0)


# Batch first averaged.
def wrong_batch_mean(weights, mask):
    scores = []
    for w, m in zip(weights, mask, strict=True):
        if m.any():
            scores.append((w * m).sum((-1, -2)) / m.any(-1).sum())
    return torch.stack(scores).mean(0)


# Transposed mask.
def wrong_transposed(weights, mask):
    inside = (weights * mask.mT[:, None, None]).sum(-1)
    return inside.sum((0, 3)) / mask.any(-1).sum()


# T in place of the number of queries.
def wrong_divides_by_T(weights, mask):
    return (weights * mask[:, None, None]).sum((0, 3, 4)) / (weights.shape[0] * weights.shape[3])


# One number for the whole model.
def wrong_one_number(weights, mask):
    return ((weights * mask[:, None, None]).sum() / mask.any(-1).sum()) / (
        weights.shape[1] * weights.shape[2]
    )


# Counts weights above 1/2.
def wrong_counts(weights, mask):
    hit = ((weights > 0.5) & mask[:, None, None]).any(-1).to(weights.dtype)
    return hit.sum((0, 3)) / mask.any(-1).sum()


# Positions whose weight inside the mask is exactly 0 are not counted.
def wrong_positions_with_weight(weights, mask):
    inside = (weights * mask[:, None, None]).sum(-1)
    return inside.sum((0, 3)) / (inside > 0).sum((0, 3)).clamp(min=1)


# The share of positions whose largest weight is inside the mask.
def wrong_argmax_inside(weights, mask):
    best = weights.argmax(-1)
    m = mask[:, None, None].expand_as(weights)
    hit = m.gather(-1, best[..., None])[..., 0].to(weights.dtype)
    return hit.sum((0, 3)) / mask.any(-1).sum()


# 1e-5 is added to the number of positions
def wrong_fourth_eps(weights, mask):
    inside = (weights * mask[:, None, None]).sum(-1)
    return inside.sum((0, 3)) / (mask.any(-1).sum() + 1e-5)
