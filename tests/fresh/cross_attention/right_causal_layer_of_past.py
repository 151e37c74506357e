# masked_attention cannot be used; queries one at a time.
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    k, v = split_heads(memory @ w_k, n_head), split_heads(memory @ w_v, n_head)
    outs = []
    for t in range(x.shape[1]):
        q = split_heads(x[:, t : t + 1] @ w_q, n_head)
        outs.append(merge_heads(torch.softmax(attention_scores(q, k), -1) @ v))
    return torch.cat(outs, 1) @ w_o
