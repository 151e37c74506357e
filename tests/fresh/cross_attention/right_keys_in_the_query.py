# The product of both matrices, once for each head.
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    d_k, d_v = w_q.size(1) // n_head, w_v.size(1) // n_head
    heads = []
    for j in range(n_head):
        both = w_q[:, j * d_k : (j + 1) * d_k] @ w_k[:, j * d_k : (j + 1) * d_k].T  # (d, D)
        w = torch.softmax(x @ both @ memory.transpose(1, 2) / math.sqrt(d_k), dim=2)
        heads.append(w @ memory @ w_v[:, j * d_v : (j + 1) * d_v])
    return torch.cat(heads, dim=2) @ w_o
