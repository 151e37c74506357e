"""Fresh answers to synthesizer_attention."""


# a Module made for the call; the mask by comparing indices
right_class = """
class Head(torch.nn.Module):
    def forward(self, x, A, b1, B, b2, V):
        i = torch.arange(x.size(1), device=x.device)
        logits = (torch.maximum(x @ A + b1, x.new_zeros(())) @ B + b2)[:, :, : x.size(1)]
        logits = torch.where(i[None, :] <= i[:, None], logits, torch.full_like(logits, -torch.inf))
        return torch.nn.Softmax(-1)(logits).matmul(x.matmul(V))


def synthesizer_attention(x, A, b1, B, b2, V):
    return Head()(x, A, b1, B, b2, V)
"""


# subtracts the largest logit of the whole row, future included: 200 later and −200 now gives 0 / 0 in float32
def wrong_einsum_tril(x, A, b1, B, b2, V):
    T = x.shape[1]
    hidden = torch.einsum("ntd,dk->ntk", x, A).add(b1).clamp(min=0)
    logits = torch.einsum("ntk,ki->nti", hidden, B[:, :T]) + b2[:T]
    powers = (logits - logits.amax(-1, keepdim=True)).exp().tril()
    return torch.einsum("nti,ij,njk->ntk", powers / powers.sum(-1, keepdim=True), torch.eye(T, dtype=x.dtype, device=x.device), x @ V)


# torch's fused attention with the hidden vectors as queries and an additive mask
def right_fused(x, A, b1, B, b2, V):
    N, T, _ = x.shape
    hidden = F.relu(F.linear(x, A.T, b1))
    bias = b2[:T].expand(T, T).masked_fill(~torch.ones(T, T, dtype=torch.bool, device=x.device).tril(), float("-inf"))
    return F.scaled_dot_product_attention(hidden, B[:, :T].T.expand(N, T, -1), x @ V, attn_mask=bias, scale=1.0)


# position by position, each with its own short softmax
def right_loop(x, A, b1, B, b2, V):
    hidden, values = torch.relu(x @ A + b1), x @ V
    rows = []
    for t in range(x.shape[1]):
        weights = torch.softmax(hidden[:, t] @ B[:, : t + 1] + b2[: t + 1], dim=-1)
        rows.append((weights.unsqueeze(1) @ values[:, : t + 1]).squeeze(1))
    return torch.stack(rows, dim=1)


# the result is a transposed view; -1e30 added in place of minus infinity
def right_not_contiguous(x, A, b1, B, b2, V):
    T = x.shape[1]
    mask = torch.ones(T, T, device=x.device, dtype=x.dtype).triu(1) * -1e30
    weights = F.softmax(F.relu(x @ A + b1) @ B.narrow(1, 0, T) + b2.narrow(0, 0, T) + mask, dim=2)
    return (V.T @ x.transpose(1, 2) @ weights.transpose(1, 2)).transpose(1, 2)


# torch's fused attention with a query that has an extra 1 and a key that has b2 as an extra column
def right_second_fused_kernel(x, A, b1, B, b2, V):
    N, T, _ = x.shape
    hidden = F.relu(torch.addmm(b1, x.reshape(N * T, -1), A)).view(N, T, -1)
    query = F.pad(hidden, (0, 1), value=1.0)
    key = torch.cat([B[:, :T], b2[None, :T]]).T.expand(N, T, -1)
    return F.scaled_dot_product_attention(query, key, x @ V, is_causal=True, scale=1.0)


# one position at a time: softmax over the places 0 … t only, no mask at all
def right_second_prefix_loop(x, A, b1, B, b2, V):
    values = x @ V
    out = []
    for t in range(x.shape[1]):
        hidden = (x[:, t] @ A + b1).clamp(min=0)
        weights = torch.softmax(hidden @ B[:, : t + 1] + b2[: t + 1], dim=1)
        out.append(torch.einsum("ni,nid->nd", weights, values[:, : t + 1]))
    return torch.stack(out, dim=1)


# the weights are computed without gradients
def wrong_detached(x, A, b1, B, b2, V):
    T = x.shape[1]
    with torch.no_grad():
        logits = (torch.relu(x @ A + b1) @ B + b2)[..., :T]
        weights = logits.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf).softmax(-1)
    return weights @ (x @ V)


# the weights of the first row of the batch are used for all
def wrong_first_row_of_batch(x, A, b1, B, b2, V):
    T = x.shape[1]
    logits = (torch.relu(x[0] @ A + b1) @ B + b2)[..., :T]
    logits = logits.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
    return torch.softmax(logits, dim=-1) @ (x @ V)


# the result is float32 whatever x is
def wrong_float32(x, A, b1, B, b2, V):
    T = x.shape[1]
    x, A, b1, B, b2, V = (each.float() for each in (x, A, b1, B, b2, V))
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., :T]
    logits = logits.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
    return torch.softmax(logits, dim=-1) @ (x @ V)


# GELU in place of ReLU
def wrong_gelu(x, A, b1, B, b2, V):
    T = x.shape[1]
    logits = (F.gelu(x @ A + b1) @ B + b2)[..., :T]
    logits = logits.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
    return torch.softmax(logits, dim=-1) @ (x @ V)


# changes b2 in place, so a second call differs
def wrong_relu_in_place(x, A, b1, B, b2, V):
    T = x.shape[1]
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., :T]
    b2 += 1
    logits = logits.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
    return torch.softmax(logits, dim=-1) @ (x @ V)


# divided by the square root of d_k
def wrong_scaled(x, A, b1, B, b2, V):
    T = x.shape[1]
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., :T] / A.shape[1] ** 0.5
    logits = logits.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
    return torch.softmax(logits, dim=-1) @ (x @ V)


# softmax over the whole row, then the mask
def wrong_softmax_before_mask(x, A, b1, B, b2, V):
    T = x.shape[1]
    weights = torch.softmax((torch.relu(x @ A + b1) @ B + b2)[..., :T], dim=-1)
    return weights.tril() @ (x @ V)


# softmax over all L columns before the cut to T
def wrong_softmax_over_block(x, A, b1, B, b2, V):
    T, L = x.shape[1], B.shape[1]
    logits = torch.relu(x @ A + b1) @ B + b2
    late = torch.arange(L)[None, :] > torch.arange(T)[:, None]
    weights = torch.softmax(logits, dim=-1).masked_fill(late, 0)[..., :T]
    return weights @ (x @ V)


# softmax over the queries
def wrong_softmax_over_positions(x, A, b1, B, b2, V):
    T = x.shape[1]
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., :T]
    logits = logits.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
    return torch.softmax(logits, dim=1) @ (x @ V)


# a position does not attend to itself, except the first
def wrong_strict_past(x, A, b1, B, b2, V):
    T = x.shape[1]
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., :T]
    mask = torch.ones(T, T).triu(0).bool()
    mask[0, 0] = False
    return torch.softmax(logits.masked_fill(mask, -math.inf), dim=-1) @ (x @ V)


# logits of later positions become 0 and not minus infinity
def wrong_tril_zero_logits(x, A, b1, B, b2, V):
    T = x.shape[1]
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., :T].tril()
    return torch.softmax(logits, dim=-1) @ (x @ V)


# hides logits that happen to be 0
def wrong_zero_is_masked(x, A, b1, B, b2, V):
    T = x.shape[1]
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., :T].tril()
    return torch.softmax(logits.masked_fill(logits == 0, -math.inf), dim=-1) @ (x @ V)


# takes the last T columns of B and b2, which is right only for T = L
def wrong_second_last_columns(x, A, b1, B, b2, V):
    T = x.shape[1]
    logits = torch.relu(x @ A + b1) @ B[:, -T:] + b2[-T:]
    later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return logits.masked_fill(later, -math.inf).softmax(-1) @ (x @ V)


# the later weights are set to 0 after the softmax and the rest does not sum to 1
def wrong_second_mask_after_softmax(x, A, b1, B, b2, V):
    T = x.shape[1]
    weights = torch.softmax(torch.relu(x @ A + b1) @ B[:, :T] + b2[:T], dim=-1)
    return weights.tril() @ (x @ V)


# divides the logits by the root of d_k, out of habit
def wrong_second_scaled(x, A, b1, B, b2, V):
    T = x.shape[1]
    logits = (F.relu(x @ A + b1) @ B[:, :T] + b2[:T]) / math.sqrt(A.shape[1])
    later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return logits.masked_fill(later, float("-inf")).softmax(dim=2) @ (x @ V)


# −100 in place of minus infinity
def wrong_minus_hundred(x, A, b1, B, b2, V):
    T = x.shape[1]
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., :T]
    later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return torch.softmax(logits.masked_fill(later, -100.0), dim=-1) @ (x @ V)


# the logits are averaged over the batch
def wrong_mean_of_the_batch(x, A, b1, B, b2, V):
    T = x.shape[1]
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., :T].mean(dim=0, keepdim=True)
    later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return torch.softmax(logits.masked_fill(later, -math.inf), dim=-1) @ (x @ V)


# all positions are one long row, so a row reads the rows before it
def wrong_one_long_row(x, A, b1, B, b2, V):
    N, T, d = x.shape
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., :T]
    later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    weights = torch.softmax(logits.masked_fill(later, -math.inf), dim=-1)
    return weights @ (x @ V).roll(1, dims=0)


# exponentials, which overflow for large logits and are then replaced
def wrong_clamped_exponentials(x, A, b1, B, b2, V):
    T = x.shape[1]
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., :T].clamp(-30, 30)
    powers = logits.exp().tril()
    return (powers / powers.sum(dim=-1, keepdim=True)) @ (x @ V)


# exponentials in the dtype of x without the maximum: float32 overflows at logits above 88
def wrong_plain_exp(x, A, b1, B, b2, V):
    T = x.shape[1]
    e = (torch.relu(x @ A + b1) @ B[:, :T] + b2[:T]).exp().tril()
    return e / e.sum(-1, keepdim=True) @ (x @ V)


# Subtracts the largest logit of the whole row, future included: 200 later and -200 now gives 0 / 0 in float32.
def wrong_fourth_future_maximum(x, A, b1, B, b2, V):
    T = x.shape[1]
    logits = torch.relu(x @ A + b1) @ B[:, :T] + b2[:T]
    e = torch.exp(logits - logits.max(-1, keepdim=True).values).tril()
    return (e / e.sum(-1, keepdim=True)) @ (x @ V)


# hidden numbers above 6 are cut off
def wrong_seventh_relu6(x, A, b1, B, b2, V):
    T = x.shape[1]
    later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    logits = (torch.nn.functional.relu6(x @ A + b1) @ B + b2)[..., :T]
    return logits.masked_fill(later, -math.inf).softmax(-1) @ (x @ V)


# The mask is kept from the first call and cut: a later, longer row keeps its end unmasked.
wrong_seventh_kept_mask = """
first_mask = []


def synthesizer_attention(x, A, b1, B, b2, V):
    T = x.shape[1]
    if not first_mask:
        first_mask.append(torch.ones(T, T).triu(1) > 0)
    logits = torch.relu(x @ A + b1) @ B[:, :T] + b2[:T]
    n = min(T, len(first_mask[0]))
    hide = torch.zeros(T, T, dtype=torch.bool)
    hide[:n, :n] = first_mask[0][:n, :n]
    return logits.masked_fill(hide, -math.inf).softmax(dim=-1) @ (x @ V)
"""


# 500 is subtracted from later logits: too little where they are 498 above the allowed ones
def wrong_eleventh_minus_500(x, A, b1, B, b2, V):
    T = x.shape[1]
    s = (x @ A + b1).relu() @ B[:, :T] + b2[:T]
    s = s - 500 * torch.ones(T, T, dtype=x.dtype, device=x.device).triu(1)
    return s.softmax(-1) @ (x @ V)
