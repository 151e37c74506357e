"""Fresh answers to perceiver_down_up."""


# fused attention twice, causal from the top left
def right_fused(x, basis):
    y = F.scaled_dot_product_attention(basis.expand(len(x), -1, -1), x, x, is_causal=True)
    return y, x + F.scaled_dot_product_attention(x, y, y, is_causal=True)


# a helper for both steps, divided by torch.sqrt of a tensor; returned as a list
def right_helper_sqrt_tensor(x, basis):
    def attend(q, kv):
        s = q @ kv.mT / torch.sqrt(torch.tensor(x.shape[-1]))
        rows, columns = s.shape[-2:]
        places = torch.arange(max(rows, columns), device=x.device)
        future = places[:columns] > places[:rows].unsqueeze(1)
        return torch.softmax(s.masked_fill(future, -torch.inf), -1) @ kv

    y = attend(basis, x)
    return [y, attend(x, y).add(x)]


# one row after the other
def right_loops(x, basis):
    N, T, d = x.shape
    m = len(basis)
    y = []
    for i in range(m):
        seen = x[:, : i + 1]
        y.append(torch.softmax(seen @ basis[i] / math.sqrt(d), dim=1).unsqueeze(1) @ seen)
    y = torch.cat(y, dim=1)
    out = []
    for t in range(T):
        seen = y[:, : t + 1]
        out.append(torch.softmax(torch.einsum("nd,nid->ni", x[:, t], seen) / d**0.5, 1)[:, None] @ seen)
    return y, x + torch.cat(out, dim=1)


# logits with einsum and weights by hand; a named tuple
right_one_hot_weights = """
from typing import NamedTuple


class Both(NamedTuple):
    y: torch.Tensor
    output: torch.Tensor


def perceiver_down_up(x, basis):
    (N, T, d), m = x.shape, basis.shape[0]

    def normal(s):
        keep = torch.ones(s.shape[1:], dtype=torch.bool, device=x.device).tril()
        s = s.masked_fill(~keep, -math.inf)
        e = torch.exp(s - s.amax(-1, keepdim=True))
        return e / e.sum(-1, keepdim=True)

    y = torch.einsum("nmt,ntd->nmd", normal(torch.einsum("md,ntd->nmt", basis, x) * d**-0.5), x)
    return Both(y, x + torch.einsum("ntm,nmd->ntd", normal(torch.einsum("ntd,nmd->ntm", x, y) * d**-0.5), y))
"""


# torch's fused attention, masks from comparing row and column numbers
def right_second_fused_boolean_masks(x, basis):
    N, T, _ = x.shape
    m = basis.shape[0]
    rows, places = torch.arange(m, device=x.device), torch.arange(T, device=x.device)
    down = rows.unsqueeze(1) >= places
    y = F.scaled_dot_product_attention(basis.unsqueeze(0).repeat(N, 1, 1), x, x, attn_mask=down)
    up = F.scaled_dot_product_attention(x, y, y, attn_mask=places[:, None] >= rows)
    return y, up.add(x)


# one helper, row by row over prefixes, used for both directions
def right_second_shared_helper_loops(x, basis):
    d = x.shape[-1]

    def attend(queries, keys):
        """queries (N, Q, d), keys (N, K, d): query i averages keys 0 … i."""
        out = []
        for i in range(queries.shape[1]):
            seen = keys[:, : i + 1]
            logits = torch.einsum("nd,nkd->nk", queries[:, i], seen) / d**0.5
            out.append(torch.einsum("nk,nkd->nd", logits.softmax(dim=1), seen))
        return torch.stack(out, dim=1)

    y = attend(basis.expand(len(x), -1, -1), x)
    return y, x + attend(x, y)


# the residual is added into x itself
def wrong_adds_in_place(x, basis):
    y = F.scaled_dot_product_attention(basis.expand(len(x), -1, -1), x, x, is_causal=True)
    up = F.scaled_dot_product_attention(x, y, y, is_causal=True)
    with torch.no_grad():
        x += up
    return y, x


# basis is added to y, as a residual
def wrong_basis_added(x, basis):
    y = basis + F.scaled_dot_product_attention(basis.expand(len(x), -1, -1), x, x, is_causal=True)
    return y, x + F.scaled_dot_product_attention(x, y, y, is_causal=True)


# the causal mask is aligned at the bottom right
def wrong_bottom_right(x, basis):
    d = x.shape[-1]

    def attend(q, kv):
        s = q @ kv.transpose(1, 2) / d**0.5
        rows, columns = s.shape[-2:]
        keep = torch.ones(rows, columns).tril(max(0, columns - rows)).bool()
        return s.masked_fill(~keep, -math.inf).softmax(-1) @ kv

    y = attend(basis.expand(len(x), -1, -1), x)
    return y, x + attend(x, y)


# no gradient through the rows
def wrong_detached_rows(x, basis):
    y = F.scaled_dot_product_attention(basis.expand(len(x), -1, -1), x, x, is_causal=True).detach()
    return y, x + F.scaled_dot_product_attention(x, y, y, is_causal=True)


# y of the first text is used for all texts
def wrong_first_row(x, basis):
    y = F.scaled_dot_product_attention(basis[None], x[:1], x[:1], is_causal=True).expand(len(x), -1, -1)
    return y, x + F.scaled_dot_product_attention(x, y, y, is_causal=True)


# x is not added
def wrong_no_residual(x, basis):
    y = F.scaled_dot_product_attention(basis.expand(len(x), -1, -1), x, x, is_causal=True)
    return y, F.scaled_dot_product_attention(x, y, y, is_causal=True)


# the rows attend to the whole text
def wrong_not_causal_down(x, basis):
    y = F.scaled_dot_product_attention(basis.expand(len(x), -1, -1), x, x)
    return y, x + F.scaled_dot_product_attention(x, y, y, is_causal=True)


# the text attends to all rows
def wrong_not_causal_up(x, basis):
    y = F.scaled_dot_product_attention(basis.expand(len(x), -1, -1), x, x, is_causal=True)
    return y, x + F.scaled_dot_product_attention(x, y, y)


# the logits are not divided in the second step
def wrong_not_scaled(x, basis):
    y = F.scaled_dot_product_attention(basis.expand(len(x), -1, -1), x, x, is_causal=True)
    return y, x + F.scaled_dot_product_attention(x, y, y, is_causal=True, scale=1.0)


# one square mask of size m, so it works only for m = T
def wrong_square_mask(x, basis):
    d, m = x.shape[-1], len(basis)
    keep = torch.ones(m, m).tril().bool()
    y = (basis @ x.transpose(1, 2) / d**0.5).masked_fill(~keep, -math.inf).softmax(-1) @ x
    return y, x + (x @ y.transpose(1, 2) / d**0.5).masked_fill(~keep, -math.inf).softmax(-1) @ y


# the second step averages x and not y
def wrong_values_x(x, basis):
    y = F.scaled_dot_product_attention(basis.expand(len(x), -1, -1), x, x, is_causal=True)
    m, T = y.shape[1], x.shape[1]
    if m >= T:
        return y, x + F.scaled_dot_product_attention(x, y[:, :T], x, is_causal=True)
    return y, x + F.scaled_dot_product_attention(x, y, x[:, :m], is_causal=True)


# aligns the mask at the last row and input, so row 0 may see several inputs
def wrong_second_mask_from_the_end(x, basis):
    N, T, d = x.shape
    m = len(basis)

    def attend(query, rows):
        Q, K = query.shape[1], rows.shape[1]
        allowed = torch.ones(Q, K, dtype=torch.bool, device=x.device).tril(diagonal=max(0, K - Q))
        logits = query @ rows.transpose(1, 2) / math.sqrt(d)
        return logits.masked_fill(~allowed, -math.inf).softmax(-1) @ rows

    y = attend(basis.expand(N, m, d), x)
    return y, x + attend(x, y)


# on the way up every position attends to all rows
def wrong_second_up_without_mask(x, basis):
    N, T, d = x.shape
    m = len(basis)
    allowed = torch.ones(m, T, dtype=torch.bool, device=x.device).tril()
    logits = basis @ x.transpose(1, 2) / math.sqrt(d)
    y = logits.masked_fill(~allowed, -math.inf).softmax(-1) @ x
    return y, x + (x @ y.transpose(1, 2) / math.sqrt(d)).softmax(-1) @ y


# returns the attention of the way up without adding x
def wrong_second_x_not_added(x, basis):
    N, T, d = x.shape
    m = len(basis)
    y = F.scaled_dot_product_attention(
        basis.expand(N, m, d), x, x, attn_mask=torch.ones(m, T, dtype=torch.bool, device=x.device).tril()
    )
    out = F.scaled_dot_product_attention(x, y, y, attn_mask=torch.ones(T, m, dtype=torch.bool, device=x.device).tril())
    return y, out


# −100 in place of minus infinity, on both ways
def wrong_minus_hundred(x, basis):
    d = x.shape[-1]
    down = basis @ x.mT / math.sqrt(d)
    down = down.masked_fill(torch.ones_like(down).triu(1).bool(), -100.0)
    y = down.softmax(-1) @ x
    up = x @ y.mT / math.sqrt(d)
    up = up.masked_fill(torch.ones_like(up).triu(1).bool(), -100.0)
    return y, x + up.softmax(-1) @ y


# −100 on the way up only
def wrong_minus_hundred_up(x, basis):
    d = x.shape[-1]
    down = basis @ x.mT / math.sqrt(d)
    y = down.masked_fill(torch.ones_like(down).triu(1).bool(), -math.inf).softmax(-1) @ x
    up = x @ y.mT / math.sqrt(d)
    up = up.masked_fill(torch.ones_like(up).triu(1).bool(), -100.0)
    return y, x + up.softmax(-1) @ y


# works only where there are at least as many inputs as rows
def wrong_more_inputs_than_rows(x, basis):
    d, m, T = x.shape[-1], len(basis), x.shape[1]
    mask = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    y = (basis @ x.mT / d**0.5).masked_fill(mask[:m], -math.inf).softmax(-1) @ x
    return y, x + (x @ y.mT / d**0.5).masked_fill(mask[:, :m], -math.inf).softmax(-1) @ y


# an input of zeros counts as padding
def wrong_zeros_are_padding(x, basis):
    d = x.shape[-1]
    padding = (x == 0).all(-1)
    down = basis @ x.mT / d**0.5
    hide = torch.ones_like(down).triu(1).bool() | padding[:, None, :]
    y = down.masked_fill(hide, -math.inf).softmax(-1) @ x
    up = x @ y.mT / d**0.5
    return y, x + up.masked_fill(torch.ones_like(up).triu(1).bool(), -math.inf).softmax(-1) @ y


# plain exponentials in the dtype of x: overflow at 250 in float32
def wrong_plain_exp(x, basis):
    d = x.shape[-1]
    e = (basis @ x.mT / math.sqrt(d)).exp().tril()
    y = e / e.sum(-1, keepdim=True) @ x
    u = (x @ y.mT / math.sqrt(d)).exp().tril()
    return y, x + u / u.sum(-1, keepdim=True) @ y


# logits are cut off at ±50, although they may be larger
def wrong_fifth_logits_cut_off(x, basis):
    def average(query, rows):
        logits = (query @ rows.mT / math.sqrt(query.shape[-1])).clamp(-50.0, 50.0)
        later = torch.ones(logits.shape[-2:], dtype=torch.bool, device=x.device).triu(1)
        return logits.masked_fill(later, -math.inf).softmax(dim=-1) @ rows

    y = average(basis, x)
    return y, x + average(x, y)


# the weights of the way down come from the first example of the batch
def wrong_seventh_only_first_example(x, basis):
    late = torch.ones(len(basis), x.shape[1], dtype=torch.bool, device=x.device).triu(1)
    down = basis @ x[0].T / math.sqrt(x.shape[-1])
    y = down.masked_fill(late, -math.inf).softmax(-1) @ x
    up = x @ y.mT / math.sqrt(x.shape[-1])
    late = torch.ones(up.shape[1:], dtype=torch.bool, device=x.device).triu(1)
    return y, x + up.masked_fill(late, -math.inf).softmax(-1) @ y


# masks on the CPU
def wrong_seventh_masks_on_the_cpu(x, basis):
    m, T = len(basis), x.size(1)
    down = torch.where(torch.ones(m, T).tril().bool(), basis @ x.mT / x.shape[-1] ** 0.5, -math.inf)
    y = down.softmax(-1) @ x
    up = torch.where(torch.ones(T, m).tril().bool(), x @ y.mT / x.shape[-1] ** 0.5, -math.inf)
    return y, up.softmax(-1) @ y + x


# The second attention divides by sqrt(m), "the width of y".
def wrong_eighth_sqrt_m(x, basis):
    m, T, d = len(basis), x.shape[1], x.shape[2]
    y = (basis @ x.mT / d**0.5).masked_fill(torch.ones(m, T).triu(1) > 0, -math.inf).softmax(-1) @ x
    return y, x + (x @ y.mT / m**0.5).masked_fill(torch.ones(T, m).triu(1) > 0, -math.inf).softmax(-1) @ y


# the logits of later inputs and rows are −225
def wrong_eleventh_filled(x, basis):
    def read(q, rows):
        s = q @ rows.mT / x.shape[-1] ** 0.5
        return s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), -225.0).softmax(-1) @ rows

    y = read(basis.expand(len(x), *basis.shape), x)
    return y, x + read(x, y)
