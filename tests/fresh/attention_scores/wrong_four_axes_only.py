# einsum with exactly four axes.
def attention_scores(q, k):
    return torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(q.shape[-1])
