# weights as exp(logit − logsumexp) with an additive mask, values mixed before the projection
def random_synthesizer(x, R, V):
    T = x.size(1)
    logits = R[:T, :T] + torch.full_like(R[:T, :T], -torch.inf).triu(diagonal=1)
    weights = torch.exp(logits - torch.logsumexp(logits, dim=1, keepdim=True))
    return (weights @ x) @ V
