# splits with the width d // n_head: right only if h times d_k and h times d_v equal d
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    B, n_q, d = x.shape
    width = d // n_head
    q = (x @ w_q).view(B, n_q, n_head, width).transpose(1, 2)
    k = (memory @ w_k).view(B, -1, n_head, width).transpose(1, 2)
    v = (memory @ w_v).view(B, -1, n_head, width).transpose(1, 2)
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(width), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, n_q, d) @ w_o
