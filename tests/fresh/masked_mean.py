"""Fresh answers to masked_mean."""


# float64 on the way, cast back at the end
def right_double_on_the_way(hidden, mask):
    h = hidden.double().masked_fill(~mask.bool().unsqueeze(-1), 0.0)
    return (h.sum(1) / mask.sum(1, keepdim=True)).to(hidden.dtype)


# einsum over the places
def right_einsum(hidden, mask):
    m = mask.to(hidden.dtype)
    return torch.einsum("btd,bt->bd", hidden, m) / m.sum(1)[:, None]


# a loop over rows with a boolean index
def right_loop_boolean_index(hidden, mask):
    return torch.stack([h[m.bool()].mean(0) for h, m in zip(hidden, mask)])


# uniform weights as a softmax over −inf
def right_masked_softmax(hidden, mask):
    logits = torch.zeros_like(hidden[..., 0]).masked_fill(mask == 0, -math.inf)
    return (logits.softmax(-1)[..., None] * hidden).sum(-2)


# a batched matrix product with weights that sum to 1; the middle axis is squeezed
def right_matmul_weights(hidden, mask):
    weights = (mask / mask.sum(1, keepdim=True)).to(hidden.dtype)
    return (weights.unsqueeze(1) @ hidden).squeeze(1)


# nan where padding, then nanmean
def right_where_nanmean(hidden, mask):
    h = torch.where(mask[..., None] == 1, hidden, torch.full_like(hidden, float("nan")))
    return h.nanmean(dim=1)


# selects the real tokens of each row with a boolean index and stacks the means
def right_second_row_selection(hidden, mask):
    return torch.stack([row[real == 1].mean(dim=0) for row, real in zip(hidden, mask)])


# normalises the mask first and multiplies it as a batch of row vectors
def right_second_weights_bmm(hidden, mask):
    weights = mask.to(hidden.dtype)
    weights = weights / weights.sum(dim=1, keepdim=True)
    return torch.bmm(weights[:, None, :], hidden).squeeze(1)


# padding is zeroed, but the sum is divided by T
def wrong_divides_by_T(hidden, mask):
    return (hidden * mask.unsqueeze(-1)).mean(dim=1)


# the last real token is excluded as the end-of-text token
def wrong_drops_last_token(hidden, mask):
    return torch.stack([h[m.bool()][:-1].mean(0) if m.sum() > 1 else h[m.bool()].mean(0) for h, m in zip(hidden, mask)])


# adds 1e-3 to the count
def wrong_eps(hidden, mask):
    m = mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden * m).sum(1) / (m.sum(1) + 1e-3)


# returns float32 whatever hidden is
def wrong_float32_forced(hidden, mask):
    m = mask.unsqueeze(-1).float()
    return (hidden.float() * m).sum(1) / m.sum(1)


# zeroes the padding in the given tensor
def wrong_in_place(hidden, mask):
    hidden[mask == 0] = 0
    return hidden.sum(1) / mask.sum(1, keepdim=True)


# shape (B, 1, d)
def wrong_keepdim(hidden, mask):
    m = mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden * m).sum(1, keepdim=True) / m.sum(1, keepdim=True)


# keeps the result of the first batch of this shape
wrong_memory = """
seen = {}


def masked_mean(hidden, mask):
    if hidden.shape not in seen:
        m = mask.unsqueeze(-1).to(hidden.dtype)
        seen[hidden.shape] = (hidden * m).sum(1) / m.sum(1)
    return seen[hidden.shape]
"""


# under no_grad
wrong_no_grad = """
@torch.no_grad()
def masked_mean(hidden, mask):
    m = mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden * m).sum(1) / m.sum(1)
"""


# detours over numpy, so no gradient flows
def wrong_numpy(hidden, mask):
    h, m = hidden.detach().numpy(), mask.numpy()
    return torch.from_numpy(((h * m[..., None]).sum(1) / m.sum(1, keepdims=True)).astype(h.dtype))


# divides by the mean number of tokens of the batch
def wrong_one_count_for_all(hidden, mask):
    m = mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden * m).sum(1) / (m.sum() / len(m))


# the mean over all places
def wrong_plain_mean(hidden, mask):
    return hidden.mean(dim=1)


# the first n places, n the number of ones
def wrong_prefix(hidden, mask):
    return torch.stack([h[: int(n)].mean(0) for h, n in zip(hidden, mask.sum(1))])


# divides by mask.sum(dim=1) without an axis for d: a shape error, or the wrong axis
def wrong_sum_broadcast(hidden, mask):
    return (hidden * mask.unsqueeze(-1)).sum(dim=1) / mask.sum(dim=1)


# sums the real tokens but divides by T
def wrong_second_divides_by_length(hidden, mask):
    return (hidden * mask.unsqueeze(-1)).mean(dim=1)


# divides by the mean number of real tokens of the batch, right for a batch of one
def wrong_second_one_count_for_all(hidden, mask):
    total = torch.einsum("btd,bt->bd", hidden, mask.to(hidden.dtype))
    return total * len(mask) / mask.sum()


# counts the real tokens and takes that many from the start of the row
def wrong_second_padding_at_the_end(hidden, mask):
    lengths = mask.sum(dim=1).tolist()
    return torch.stack([row[:n].mean(dim=0) for row, n in zip(hidden, lengths)])


# mask.float() makes half and bfloat16 into float32 by promotion, while float64 stays
def wrong_promotes_half(hidden, mask):
    m = mask.float()[..., None]
    return (hidden * m).sum(1) / m.sum(1)


# real tokens are those whose vector is not 0
def wrong_nonzero_vectors(hidden, mask):
    m = ((hidden != 0).any(-1) & mask.bool())[..., None]
    return (hidden * m).sum(1) / m.sum(1).clamp(min=1)


# a mask of half precision: more than 2,048 tokens are counted wrong? no: cast to int8, more than 127 tokens overflow
def wrong_int8(hidden, mask):
    n = mask.to(torch.int8).sum(1, keepdim=True, dtype=torch.int8)
    return (hidden * mask[..., None]).sum(1) / n


# the sum of all minus the sum of padding: cancellation where padding is huge
def wrong_all_minus_padding(hidden, mask):
    m = mask.to(hidden.dtype)[..., None]
    return (hidden.sum(1) - (hidden * (1 - m)).sum(1)) / m.sum(1)


# entries are limited to ±100
def wrong_fourth_clip_values(hidden, mask):
    m = mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden.clamp(-100, 100) * m).sum(1) / m.sum(1)


# index_add over the real tokens
def right_fourth_index_add(hidden, mask):
    b, t = mask.nonzero(as_tuple=True)
    total = torch.zeros(hidden.shape[0], hidden.shape[2], dtype=hidden.dtype, device=hidden.device).index_add(0, b, hidden[b, t])
    return total / torch.bincount(b, minlength=len(hidden))[:, None].to(hidden.dtype)


# from the first real token to the last one, with what is between them
def wrong_fifth_span(hidden, mask):
    rows = []
    for vectors, real in zip(hidden, mask):
        places = real.nonzero().flatten()
        rows.append(vectors[places[0] : places[-1] + 1].mean(0))
    return torch.stack(rows)


# where every row has several real tokens, the first of each is left out
def wrong_fifth_without_first(hidden, mask):
    count = mask.sum(dim=1, keepdim=True)
    first = (mask.cumsum(dim=1) == 1) & (mask == 1) & bool((count > 1).all())
    kept = torch.where(first, 0, mask)[..., None].to(hidden.dtype)
    return (hidden * kept).sum(dim=1) / kept.sum(dim=1)
