# One pair of the batch at a time.
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    rows = []
    for one, read in zip(x, memory):
        q, k, v = (split_heads(y[None], n_head) for y in (one @ w_q, read @ w_k, read @ w_v))
        e = torch.exp(attention_scores(q, k) - attention_scores(q, k).amax(-1, keepdim=True))
        rows.append(merge_heads(e / e.sum(-1, keepdim=True) @ v)[0] @ w_o)
    return torch.stack(rows)
