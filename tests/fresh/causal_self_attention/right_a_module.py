# A class that is called.
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


class Attention(torch.nn.Module):
    def __init__(self, n_head):
        super().__init__()
        self.n_head = n_head

    def forward(self, x, w_q, w_k, w_v, w_o):
        q, k, v = [split_heads(x.matmul(w), self.n_head) for w in (w_q, w_k, w_v)]
        allowed = causal_mask(x.shape[1]).to(x.device)
        return merge_heads(attention_scores(q, k).masked_fill(allowed.logical_not(), -torch.inf).softmax(-1) @ v) @ w_o


def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    return Attention(n_head)(x, w_q, w_k, w_v, w_o)
