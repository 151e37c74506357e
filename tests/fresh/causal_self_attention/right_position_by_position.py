# Position t looks at x up to t: no mask at all.
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    out = []
    for t in range(x.shape[1]):
        past = x[:, : t + 1]
        q = split_heads(x[:, t : t + 1] @ w_q, n_head)
        w = torch.softmax(attention_scores(q, split_heads(past @ w_k, n_head)), dim=-1)
        out.append(merge_heads(w @ split_heads(past @ w_v, n_head)) @ w_o)
    return torch.cat(out, dim=1)
