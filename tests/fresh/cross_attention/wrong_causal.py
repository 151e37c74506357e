# With a causal mask where the table is square.
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked(s):
    if s.shape[-1] != s.shape[-2]:
        return s
    return s.masked_fill(~causal_mask(s.shape[-1]), -math.inf)


def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = split_heads(x @ w_q, n_head), split_heads(memory @ w_k, n_head), split_heads(memory @ w_v, n_head)
    weights = torch.softmax(masked(attention_scores(q, k)), dim=-1)
    return merge_heads(weights @ v) @ w_o
