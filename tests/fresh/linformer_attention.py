"""Fresh answers to linformer_attention."""


# einsum for every product
def right_einsum(q, k, v, E, F):
    logits = torch.einsum("ntd,rs,nsd->ntr", q, E, k) * q.shape[-1] ** -0.5
    return torch.einsum("ntr,rs,nsd->ntd", logits.softmax(-1), F, v)


# torch's fused attention on the mixed rows
def right_fused(q, k, v, E, F):
    return torch.nn.functional.scaled_dot_product_attention(q, E @ k, F @ v)


# a loop over the batch and the positions
def right_loop(q, k, v, E, F):
    out = []
    for n in range(len(q)):
        keys, values = E.mm(k[n]), F.mm(v[n])
        out.append(torch.stack([torch.softmax(keys.mv(row) / math.sqrt(len(row)), 0) @ values for row in q[n]]))
    return torch.stack(out)


# divides by torch.sqrt of a float32 tensor
def right_sqrt_tensor(q, k, v, E, F):
    d = q.size(-1)
    logits = q @ (E @ k).transpose(-2, -1) / torch.sqrt(torch.tensor(d))
    return torch.nn.functional.softmax(logits, dim=-1) @ (F @ v)


# the weights are mixed back to T columns before they meet the values
def right_weights_first(q, k, v, E, F):
    mixed = (k.mT @ E.mT).mT
    weights = ((q / q.shape[2] ** 0.25) @ (mixed / q.shape[2] ** 0.25).mT).softmax(2)
    return (weights @ F) @ v


# multiplies the query with the mixed keys by einsum, the softmax by hand
def right_second_query_goes_first(q, k, v, E, F):
    logits = torch.einsum("ntd,nsd,rs->ntr", q, k, E) * q.shape[-1] ** -0.5
    weights = (logits - logits.amax(dim=-1, keepdim=True)).exp()
    weights = weights / weights.sum(dim=-1, keepdim=True)
    return torch.einsum("ntr,rs,nsd->ntd", weights, F, v)


# a loop over the sequences, torch's fused attention on each
def right_second_sequence_by_sequence(q, k, v, E, F):
    attend = torch.nn.functional.scaled_dot_product_attention
    out = [attend(one_q[None], (E @ one_k)[None], (F @ one_v)[None])[0] for one_q, one_k, one_v in zip(q, k, v)]
    return torch.stack(out)


# E and F get no gradients
def wrong_detached_mixing(q, k, v, E, F):
    E, F = E.detach(), F.detach()
    return (q @ (E @ k).transpose(1, 2) / q.shape[-1] ** 0.5).softmax(-1) @ (F @ v)


# E for both
def wrong_e_twice(q, k, v, E, F):
    return (q @ (E @ k).transpose(1, 2) / q.shape[-1] ** 0.5).softmax(-1) @ (E @ v)


# E mixes the values and F the keys
def wrong_exchanged(q, k, v, E, F):
    return (q @ (F @ k).transpose(1, 2) / q.shape[-1] ** 0.5).softmax(-1) @ (E @ v)


# computed and returned in float32
def wrong_float32(q, k, v, E, F):
    q, k, v, E, F = (each.float() for each in (q, k, v, E, F))
    return (q @ (E @ k).transpose(1, 2) / q.shape[-1] ** 0.5).softmax(-1) @ (F @ v)


# with a triangular mask on the mixed rows
def wrong_masked(q, k, v, E, F):
    logits = q @ (E @ k).transpose(1, 2) / q.shape[-1] ** 0.5
    mask = torch.ones(logits.shape[-2:]).tril().bool()
    return logits.masked_fill(~mask, -math.inf).softmax(-1) @ (F @ v)


# softmax over the T keys, mixed afterwards
def wrong_mix_after_softmax(q, k, v, E, F):
    weights = (q @ k.transpose(1, 2) / q.shape[-1] ** 0.5).softmax(-1)
    return (weights @ E.T) @ (F @ v)


# the rows of F are normalised first
def wrong_normalised_values(q, k, v, E, F):
    F = F / F.sum(dim=1, keepdim=True)
    return (q @ (E @ k).transpose(1, 2) / q.shape[-1] ** 0.5).softmax(-1) @ (F @ v)


# the logits are not divided
def wrong_not_scaled(q, k, v, E, F):
    return (q @ (E @ k).transpose(1, 2)).softmax(-1) @ (F @ v)


# q is divided in place
def wrong_scales_in_place(q, k, v, E, F):
    q = q.div_(q.shape[-1] ** 0.5) if not q.requires_grad else q / q.shape[-1] ** 0.5
    return (q @ (E @ k).transpose(1, 2)).softmax(-1) @ (F @ v)


# softmax over the wrong axis
def wrong_softmax_over_queries(q, k, v, E, F):
    return (q @ (E @ k).transpose(1, 2) / q.shape[-1] ** 0.5).softmax(1) @ (F @ v)


# divided by the square root of r
def wrong_sqrt_r(q, k, v, E, F):
    return (q @ (E @ k).transpose(1, 2) / E.shape[0] ** 0.5).softmax(-1) @ (F @ v)


# mixes the values with E too
def wrong_second_same_matrix_twice(q, k, v, E, F):
    keys, values = E @ k, E @ v
    return torch.softmax(q @ keys.transpose(1, 2) / math.sqrt(q.shape[-1]), dim=-1) @ values


# divides by the root of the number of mixed rows
def wrong_second_scale_by_rows(q, k, v, E, F):
    mixed = torch.matmul(E, k)
    logits = q @ mixed.mT / mixed.shape[1] ** 0.5
    return logits.softmax(-1) @ torch.matmul(F, v)


# the softmax is over the positions and not over the mixed rows
def wrong_second_softmax_over_queries(q, k, v, E, F):
    logits = q @ (E @ k).transpose(1, 2) / math.sqrt(q.shape[-1])
    return torch.softmax(logits, dim=1) @ (F @ v)


# exponentials without the maximum: overflow for steep logits
def wrong_plain_exp(q, k, v, E, F):
    e = (q @ (E @ k).mT / math.sqrt(q.shape[-1])).exp()
    return e / e.sum(-1, keepdim=True) @ (F @ v)


# the mean is subtracted before exp: it overflows where a row holds far numbers
def wrong_fourth_mean_subtracted(q, k, v, E, F):
    s = q @ (E @ k).transpose(1, 2) / q.shape[-1] ** 0.5
    e = (s - s.mean(-1, keepdim=True)).exp()
    return e / e.sum(-1, keepdim=True) @ (F @ v)


# rows of E are normalised, which the identity does not show
def wrong_fifth_rows_of_E_normalised(q, k, v, E, F):
    keys = (E / E.norm(dim=1, keepdim=True)) @ k
    return torch.softmax(q @ keys.mT / math.sqrt(q.shape[-1]), dim=-1) @ (F @ v)


# the E of the first call is kept
def wrong_seventh_kept_mix(q, k, v, E, F, kept={}):
    mix = kept.setdefault(tuple(E.shape), E.detach())
    return torch.softmax(q @ (mix @ k).mT / q.shape[-1] ** 0.5, dim=-1) @ (F @ v)
