"""Fresh answers to random_synthesizer."""


# fused attention with zero queries and R as an additive mask
def right_fused(x, R, V):
    N, T, _ = x.shape
    mask = R[:T, :T] + torch.full((T, T), -torch.inf, dtype=R.dtype, device=R.device).triu(1)
    zero = x.new_zeros(N, T, 1)
    return F.scaled_dot_product_attention(zero, zero, x @ V, attn_mask=mask)


# position by position
def right_loop(x, R, V):
    values = x @ V
    return torch.stack([R[t, : t + 1].softmax(0) @ values[:, : t + 1] for t in range(x.shape[1])], dim=1)


# the tokens are averaged first and multiplied by V afterwards
def right_mix_first(x, R, V):
    T = x.shape[1]
    i = torch.arange(T, device=x.device)
    weights = torch.where(i <= i[:, None], R[:T, :T], x.new_tensor(-torch.inf)).softmax(dim=-1)
    return (weights @ x) @ V


# exponentials of the lower triangle
def right_tril_exp(x, R, V):
    T = x.size(1)
    R = R[:T, :T]
    powers = (R - R.max(dim=1, keepdim=True).values).exp().tril()
    if bool((powers.sum(1) == 0).any()):
        late = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
        return R.masked_fill(late, -math.inf).softmax(1) @ (x @ V)
    late = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return torch.einsum("ti,nid,de->nte", R.masked_fill(late, -math.inf).softmax(1), x, V)


# weights as exp(logit − logsumexp) with an additive mask, values mixed before the projection
def right_second_log_sum_exp(x, R, V):
    T = x.size(1)
    logits = R[:T, :T] + torch.full_like(R[:T, :T], -torch.inf).triu(diagonal=1)
    weights = torch.exp(logits - torch.logsumexp(logits, dim=1, keepdim=True))
    return (weights @ x) @ V


# a softmax over each row's first t + 1 logits, padded with zeros, then einsum
def right_second_rows_of_different_length(x, R, V):
    T = x.shape[1]
    rows = [F.pad(R[t, : t + 1].softmax(dim=0), (0, T - t - 1)) for t in range(T)]
    return torch.einsum("ti,nid,de->nte", torch.stack(rows), x, V)


# R gets no gradient
def wrong_frozen(x, R, V):
    T = x.shape[1]
    weights = R.detach()[:T, :T].masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf).softmax(-1)
    return weights @ (x @ V)


# the last T rows and columns
def wrong_last_rows(x, R, V):
    T = x.shape[1]
    return R[-T:, -T:].masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf).softmax(-1) @ (x @ V)


# fills R itself with minus infinity
def wrong_masks_r_in_place(x, R, V):
    T = x.shape[1]
    with torch.no_grad():
        R[:T, :T].masked_fill_(torch.ones(T, T).triu(1).bool(), -math.inf)
    return R[:T, :T].softmax(-1) @ (x @ V)


# without the mask
def wrong_no_mask(x, R, V):
    T = x.shape[1]
    return R[:T, :T].softmax(-1) @ (x @ V)


# draws R anew
def wrong_random_logits(x, R, V):
    T = x.shape[1]
    R = torch.randn_like(R)[:T, :T]
    return R.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf).softmax(-1) @ (x @ V)


# divided by the square root of the width
def wrong_scaled(x, R, V):
    T = x.shape[1]
    logits = R[:T, :T] / x.shape[-1] ** 0.5
    return logits.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf).softmax(-1) @ (x @ V)


# softmax over L columns, then the cut
def wrong_softmax_over_block(x, R, V):
    T, L = x.shape[1], len(R)
    return R.masked_fill(torch.ones(L, L).triu(1).bool(), -math.inf).softmax(0)[:T, :T] @ (x @ V)


# softmax first, then the triangle
def wrong_softmax_then_mask(x, R, V):
    T = x.shape[1]
    return R[:T, :T].softmax(-1).tril() @ (x @ V)


# logits that depend on the text
def wrong_times_x(x, R, V):
    T = x.shape[1]
    logits = R[:T, :T] * x.mean(dim=(1, 2), keepdim=True)
    return logits.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf).softmax(-1) @ (x @ V)


# R transposed
def wrong_transposed(x, R, V):
    T = x.shape[1]
    return R.T[:T, :T].masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf).softmax(-1) @ (x @ V)


# reads the table the other way: column t holds the logits of position t
def wrong_second_columns_as_rows(x, R, V):
    T = x.shape[1]
    later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    weights = R[:T, :T].T.masked_fill(later, -math.inf).softmax(dim=-1)
    return weights @ (x @ V)


# a short row uses the last T rows and columns
def wrong_second_last_rows(x, R, V):
    T = x.shape[1]
    part = R[-T:, -T:]
    later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return part.masked_fill(later, -math.inf).softmax(dim=-1) @ (x @ V)


# softmax over all L columns first, then cut and masked: the weights do not sum to 1
def wrong_second_softmax_over_all_columns(x, R, V):
    T = x.shape[1]
    weights = torch.softmax(R, dim=-1)[:T, :T].tril()
    return weights @ (x @ V)


# −100 in place of minus infinity
def wrong_minus_hundred(x, R, V):
    T = x.shape[1]
    later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return torch.softmax(R[:T, :T].masked_fill(later, -100.0), dim=-1) @ (x @ V)


# a logit of exactly 0 counts as masked
def wrong_zero_is_masked(x, R, V):
    T = x.shape[1]
    logits = R[:T, :T].tril()
    logits = torch.where(logits == 0, -math.inf, logits)
    weights = torch.softmax(logits, dim=-1).nan_to_num(1 / T)
    return weights @ (x @ V)


# exponentials of clamped logits
def wrong_clamped(x, R, V):
    T = x.shape[1]
    powers = R[:T, :T].clamp(-8, 8).exp().tril()
    return powers @ (x @ V) / powers.sum(dim=-1, keepdim=True)


# sums of exponentials in the dtype of R: overflow above 88 in float32
def wrong_plain_exp(x, R, V):
    T = x.shape[1]
    e = R[:T, :T].exp().tril()
    return e / e.sum(-1, keepdim=True) @ (x @ V)


# the last rows and columns; T < L
def wrong_last(x, R, V):
    T = x.shape[1]
    R = R[-T:, -T:].masked_fill(torch.ones(T, T).triu(1) > 0, -math.inf)
    return R.softmax(-1) @ (x @ V)


# subtracts the largest entry of the whole table before exp: rows far below it underflow to 0/0
def wrong_global_maximum(x, R, V):
    T = x.shape[1]
    R = R[:T, :T]
    e = (R - R.max()).exp().tril()
    return e / e.sum(-1, keepdim=True) @ (x @ V)


# the largest of a row counts masked entries as 0, so in float32 a row near −200 has only zeros
def wrong_masked_count_as_0(x, R, V):
    T = x.shape[1]
    powers = torch.exp(R[:T, :T] - R[:T, :T].detach().tril().amax(-1, keepdim=True)).tril()
    return torch.einsum("ts,nsd->ntd", powers / powers.sum(-1, keepdim=True), x) @ V


# the mean of the allowed numbers is subtracted before exp, and not the largest
def wrong_fourth_mean_subtracted(x, R, V):
    T = x.shape[1]
    r = R[:T, :T]
    m = torch.tril(torch.ones_like(r))
    e = torch.exp((r - (r * m).sum(-1, keepdim=True) / m.sum(-1, keepdim=True)) * m) * m
    return e / e.sum(-1, keepdim=True) @ (x @ V)


# The maximum includes the future: with R = [[-200, 200], …] row 0 is 0 / 0 in float32.
def wrong_fourth_future_maximum(x, R, V):
    T = x.shape[1]
    e = (R[:T, :T] - R[:T, :T].amax(1, keepdim=True)).exp().tril()
    return e / e.sum(-1, keepdim=True) @ (x @ V)


# the weights of the first call are kept
def wrong_seventh_kept_weights(x, R, V, kept={}):
    T = x.shape[1]
    later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    weights = kept.setdefault(T, R[:T, :T].masked_fill(later, -math.inf).softmax(-1))
    return weights @ (x @ V)


# tril, then 0 means masked: an entry of R that is 0 (as in the example) is hidden.
def wrong_seventh_zero_hidden(x, R, V):
    T = x.shape[1]
    table = R[:T, :T].tril()
    return table.masked_fill(table == 0, -1e9).softmax(-1) @ (x @ V)


# 500 is subtracted from later entries: too little where they are 498 above the allowed ones
def wrong_eleventh_minus_500(x, R, V):
    T = x.shape[1]
    s = R[:T, :T] - 500 * torch.ones(T, T, dtype=x.dtype, device=x.device).triu(1)
    return s.softmax(-1) @ (x @ V)
