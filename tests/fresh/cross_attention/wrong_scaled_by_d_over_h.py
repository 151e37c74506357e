# Divided by the root of d / h.
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = split_heads(x @ w_q, n_head), split_heads(memory @ w_k, n_head), split_heads(memory @ w_v, n_head)
    weights = torch.softmax(q @ k.mT / math.sqrt(x.shape[-1] // n_head), dim=-1)
    return merge_heads(weights @ v) @ w_o
