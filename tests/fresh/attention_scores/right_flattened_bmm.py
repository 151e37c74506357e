# All leading axes in one, then bmm.
def attention_scores(q, k):
    *front, n_q, d = q.shape
    n_k = k.shape[-2]
    a, b = q.reshape(-1, n_q, d), k.reshape(-1, n_k, d)
    return torch.bmm(a, b.transpose(1, 2)).reshape(*front, n_q, n_k) * d**-0.5
