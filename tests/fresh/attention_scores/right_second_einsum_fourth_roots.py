# half of the scaling on each side, then einsum
def attention_scores(q, k):
    root = q.shape[-1] ** 0.25
    return torch.einsum("...td,...id->...ti", q / root, k / root)
