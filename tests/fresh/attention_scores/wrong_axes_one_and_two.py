# Axes 1 and 2 are exchanged whatever the number of axes.
def attention_scores(q, k):
    return torch.matmul(q, k.transpose(1, 2)) / math.sqrt(q.shape[-1])
