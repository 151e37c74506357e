"""Fresh answers to synthesizer_layer."""


# all heads at once with einsum, without the first exercise
def right_einsum_heads(x, A, b1, B, b2, V, W_O, n_head):
    N, T, d = x.shape
    hidden = torch.relu(x @ A + b1).view(N, T, n_head, -1)
    logits = torch.einsum("nthk,ki->nhti", hidden, B[:, :T]) + b2[:T]
    past = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = logits.masked_fill(~past, -torch.inf).softmax(-1)
    values = (x @ V).view(N, T, n_head, -1)
    return torch.einsum("nhti,nihk->nthk", weights, values).flatten(2) @ W_O


# heads folded into the batch for fused attention
def right_heads_in_batch(x, A, b1, B, b2, V, W_O, n_head):
    N, T, d = x.shape
    split = lambda z: z.reshape(N, T, n_head, d // n_head).transpose(1, 2)
    hidden, value = split(F.relu(F.linear(x, A.t(), b1))), split(x @ V)
    bias = torch.where(torch.ones(T, T, dtype=torch.bool).tril(), b2[:T].expand(T, T), -torch.inf)
    out = F.scaled_dot_product_attention(hidden, B[:, :T].t().expand(N, n_head, T, -1), value, attn_mask=bias, scale=1)
    return out.transpose(1, 2).flatten(2) @ W_O


# each head with its own rows of W_O, summed
def right_sum_over_heads(x, A, b1, B, b2, V, W_O, n_head):
    total, d_k = 0, A.shape[1] // n_head
    for j in range(n_head):
        part = slice(j * d_k, (j + 1) * d_k)
        hidden = F.relu(x @ A[:, part] + b1[part])
        T = x.shape[1]
        logits = (hidden @ B + b2)[..., :T]
        logits = logits + torch.full((T, T), -math.inf, dtype=x.dtype).triu(1)
        total = total + logits.softmax(-1) @ (x @ V[:, part]) @ W_O[part]
    return total


# tensor_split, zip and hstack-like concatenation over a list of closures
def right_tensor_split(x, A, b1, B, b2, V, W_O, n_head):
    def head(A, b1, V):
        T = x.shape[1]
        s = ((x @ A + b1).clamp(0) @ B + b2)[:, :, :T]
        future = torch.arange(T)[None] > torch.arange(T)[:, None]
        return s.masked_fill(future, -1e9).softmax(2) @ (x @ V)

    parts = zip(A.tensor_split(n_head, 1), b1.tensor_split(n_head), V.tensor_split(n_head, 1))
    return torch.dstack([head(*part) for part in parts]) @ W_O


# all heads at once with einsum over a head axis
def right_second_einsum_all_heads(x, A, b1, B, b2, V, W_O, n_head):
    N, T, d = x.shape
    d_k = d // n_head
    hidden = torch.einsum("ntd,dhk->nhtk", x, A.reshape(d, n_head, d_k)) + b1.reshape(n_head, 1, d_k)
    values = torch.einsum("ntd,dhk->nhtk", x, V.reshape(d, n_head, d_k))
    logits = torch.einsum("nhtk,ks->nhts", hidden.relu(), B[:, :T]) + b2[:T]
    logits = logits + torch.full((T, T), -torch.inf, dtype=x.dtype, device=x.device).triu(1)
    heads = torch.einsum("nhts,nhsk->nthk", logits.softmax(-1), values)
    return heads.flatten(2) @ W_O


# never concatenates: adds what each head contributes through its rows of W_O
def right_second_sum_over_heads(x, A, b1, B, b2, V, W_O, n_head):
    T, d = x.shape[1], x.shape[2]
    d_k = d // n_head
    allowed = torch.ones(T, T, device=x.device).tril().bool()
    out = torch.zeros_like(x)
    for part in torch.arange(d, device=x.device).split(d_k):
        logits = F.relu(x @ A[:, part] + b1[part]) @ B[:, :T] + b2[:T]
        weights = torch.where(allowed, logits, -torch.inf).softmax(dim=-1)
        out = out + weights @ (x @ V[:, part]) @ W_O[part]
    return out


# adds b1 by changing it: b1 becomes zero after the call
def wrong_in_place_b1(x, A, b1, B, b2, V, W_O, n_head):
    T, outs = x.shape[1], []
    for a, b, v in zip(A.chunk(n_head, 1), b1.chunk(n_head), V.chunk(n_head, 1)):
        s = (torch.relu(x @ a + b) @ B + b2)[..., :T].masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
        outs.append(s.softmax(-1) @ (x @ v))
    b1.zero_()
    return torch.cat(outs, -1) @ W_O


# the outputs are averaged over the heads and repeated
def wrong_mean_of_heads(x, A, b1, B, b2, V, W_O, n_head):
    T, outs = x.shape[1], []
    for a, b, v in zip(A.chunk(n_head, 1), b1.chunk(n_head), V.chunk(n_head, 1)):
        s = (torch.relu(x @ a + b) @ B + b2)[..., :T].masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
        outs.append(s.softmax(-1) @ (x @ v))
    return torch.stack(outs).mean(0).repeat(1, 1, n_head) @ W_O


# without the causal mask
def wrong_no_mask(x, A, b1, B, b2, V, W_O, n_head):
    T, outs = x.shape[1], []
    for a, b, v in zip(A.chunk(n_head, 1), b1.chunk(n_head), V.chunk(n_head, 1)):
        s = (torch.relu(x @ a + b) @ B + b2)[..., :T]
        outs.append(s.softmax(-1) @ (x @ v))
    return torch.cat(outs, -1) @ W_O


# W_O is forgotten
def wrong_no_output_matrix(x, A, b1, B, b2, V, W_O, n_head):
    T, outs = x.shape[1], []
    for a, b, v in zip(A.chunk(n_head, 1), b1.chunk(n_head), V.chunk(n_head, 1)):
        s = (torch.relu(x @ a + b) @ B + b2)[..., :T].masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
        outs.append(s.softmax(-1) @ (x @ v))
    return torch.cat(outs, -1)


# the heads are concatenated in reverse order
def wrong_reversed_heads(x, A, b1, B, b2, V, W_O, n_head):
    T, outs = x.shape[1], []
    for a, b, v in zip(A.chunk(n_head, 1), b1.chunk(n_head), V.chunk(n_head, 1)):
        s = (torch.relu(x @ a + b) @ B + b2)[..., :T].masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
        outs.insert(0, s.softmax(-1) @ (x @ v))
    return torch.cat(outs, -1) @ W_O


# rows of V in place of columns, transposed so that it runs
def wrong_rows_of_v(x, A, b1, B, b2, V, W_O, n_head):
    T, outs = x.shape[1], []
    for a, b, v in zip(A.chunk(n_head, 1), b1.chunk(n_head), V.chunk(n_head, 0)):
        s = (torch.relu(x @ a + b) @ B + b2)[..., :T].masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
        outs.append(s.softmax(-1) @ (x @ v.T))
    return torch.cat(outs, -1) @ W_O


# divided by the square root of d_k as in attention
def wrong_scaled(x, A, b1, B, b2, V, W_O, n_head):
    T, outs = x.shape[1], []
    for a, b, v in zip(A.chunk(n_head, 1), b1.chunk(n_head), V.chunk(n_head, 1)):
        s = (torch.relu(x @ a + b) @ B + b2)[..., :T] / B.shape[0] ** 0.5
        outs.append(s.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf).softmax(-1) @ (x @ v))
    return torch.cat(outs, -1) @ W_O


# splits by view(N, h, T, d_k), which mixes positions
def wrong_split_by_view(x, A, b1, B, b2, V, W_O, n_head):
    N, T, d = x.shape
    hidden = torch.relu(x @ A + b1).view(N, n_head, T, -1)
    logits = (hidden @ B + b2)[..., :T].masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
    value = (x @ V).view(N, n_head, T, -1)
    return (logits.softmax(-1) @ value).transpose(1, 2).reshape(N, T, d) @ W_O


# two heads whatever n_head says
def wrong_two_heads_fixed(x, A, b1, B, b2, V, W_O, n_head):
    T, outs = x.shape[1], []
    h = min(2, n_head)
    k = B.shape[0]
    for j in range(n_head):
        part = slice((j % h) * k, (j % h + 1) * k)
        s = (torch.relu(x @ A[:, part] + b1[part]) @ B + b2)[..., :T].masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
        outs.append(s.softmax(-1) @ (x @ V[:, part]))
    return torch.cat(outs, -1) @ W_O


# (N, h, T, d_k) viewed as (N, T, d) without swapping back
def wrong_view_without_transpose(x, A, b1, B, b2, V, W_O, n_head):
    N, T, d = x.shape
    hidden = torch.relu(x @ A + b1).view(N, T, n_head, -1).transpose(1, 2)
    logits = (hidden @ B + b2)[..., :T].masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
    value = (x @ V).view(N, T, n_head, -1).transpose(1, 2)
    return (logits.softmax(-1) @ value).reshape(N, T, d) @ W_O


# head j takes every n_head-th column in place of a block
def wrong_second_interleaved_columns(x, A, b1, B, b2, V, W_O, n_head):
    T = x.shape[1]
    later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    heads = []
    for j in range(n_head):
        logits = torch.relu(x @ A[:, j::n_head] + b1[j::n_head]) @ B[:, :T] + b2[:T]
        heads.append(logits.masked_fill(later, -math.inf).softmax(-1) @ (x @ V[:, j::n_head]))
    return torch.cat(heads, dim=-1) @ W_O


# flattens (N, n_head, T, d_k) directly to (N, T, d), so heads and positions are mixed
def wrong_second_merge_without_transpose(x, A, b1, B, b2, V, W_O, n_head):
    N, T, d = x.shape
    d_k = d // n_head
    hidden = torch.relu(x @ A + b1).view(N, T, n_head, d_k).transpose(1, 2)
    values = (x @ V).view(N, T, n_head, d_k).transpose(1, 2)
    later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    weights = (hidden @ B[:, :T] + b2[:T]).masked_fill(later, -math.inf).softmax(-1)
    return (weights @ values).reshape(N, T, d) @ W_O


# multiplies by the transpose of W_O, as a Linear layer would
def wrong_second_transposed_output_matrix(x, A, b1, B, b2, V, W_O, n_head):
    T, d_k = x.shape[1], x.shape[2] // n_head
    later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    heads = []
    for j in range(n_head):
        own = slice(j * d_k, (j + 1) * d_k)
        logits = torch.relu(x @ A[:, own] + b1[own]) @ B[:, :T] + b2[:T]
        heads.append(logits.masked_fill(later, -math.inf).softmax(-1) @ (x @ V[:, own]))
    return F.linear(torch.cat(heads, dim=-1), W_O)


# −100 in place of minus infinity
wrong_minus_hundred = """
def head(x, A, b1, B, b2, V):
    T = x.shape[1]
    s = (torch.relu(x @ A + b1) @ B + b2)[..., :T]
    s = s.masked_fill(torch.ones(T, T, device=x.device).triu(1).bool(), -100.0)
    return s.softmax(-1) @ (x @ V)


def synthesizer_layer(x, A, b1, B, b2, V, W_O, n_head):
    parts = zip(A.chunk(n_head, 1), b1.chunk(n_head), V.chunk(n_head, 1))
    return torch.cat([head(x, a, b, B, b2, v) for a, b, v in parts], dim=-1) @ W_O
"""


# the heads are in reverse order
wrong_last_head_first = """
def head(x, A, b1, B, b2, V):
    T = x.shape[1]
    s = (torch.relu(x @ A + b1) @ B + b2)[..., :T]
    s = s.masked_fill(torch.ones(T, T, device=x.device).triu(1).bool(), -math.inf)
    return s.softmax(-1) @ (x @ V)


def synthesizer_layer(x, A, b1, B, b2, V, W_O, n_head):
    parts = zip(A.chunk(n_head, 1), b1.chunk(n_head), V.chunk(n_head, 1))
    return torch.cat([head(x, a, b, B, b2, v) for a, b, v in parts][::-1], dim=-1) @ W_O
"""


# the weights of the first row of the batch are used for all
wrong_weights_of_row_zero = """
def head(x, A, b1, B, b2, V):
    T = x.shape[1]
    s = (torch.relu(x[:1] @ A + b1) @ B + b2)[..., :T]
    s = s.masked_fill(torch.ones(T, T, device=x.device).triu(1).bool(), -math.inf)
    return s.softmax(-1) @ (x @ V)


def synthesizer_layer(x, A, b1, B, b2, V, W_O, n_head):
    parts = zip(A.chunk(n_head, 1), b1.chunk(n_head), V.chunk(n_head, 1))
    return torch.cat([head(x, a, b, B, b2, v) for a, b, v in parts], dim=-1) @ W_O
"""


# five heads and more are cut to four
def wrong_fourth_four_heads(x, A, b1, B, b2, V, W_O, n_head):
    T, outs = x.shape[1], []
    for a, b, v in list(zip(A.chunk(n_head, 1), b1.chunk(n_head), V.chunk(n_head, 1)))[:4]:
        s = (torch.relu(x @ a + b) @ B + b2)[..., :T].masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
        outs.append(s.softmax(-1) @ (x @ v))
    return torch.cat(outs, -1) @ W_O[: len(outs) * len(B)]


# 500 is subtracted from later logits: too little where they are 498 above the allowed ones
def wrong_eleventh_minus_500(x, A, b1, B, b2, V, W_O, n_head):
    T, heads = x.shape[1], []
    for A_j, b1_j, V_j in zip(A.chunk(n_head, 1), b1.chunk(n_head), V.chunk(n_head, 1)):
        s = (x @ A_j + b1_j).relu() @ B[:, :T] + b2[:T]
        s = s - 500 * torch.ones(T, T, dtype=x.dtype, device=x.device).triu(1)
        heads.append(s.softmax(-1) @ (x @ V_j))
    return torch.cat(heads, -1) @ W_O
