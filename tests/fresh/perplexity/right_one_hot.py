# A product with one-hot targets, in which padding has a row of zeros.
def perplexity(logits, targets):
    hot = F.one_hot(targets, logits.size(-1)).to(logits.dtype)
    hot[..., 0] = 0.0
    total = torch.einsum("btv,btv->", hot, torch.log_softmax(logits, dim=2))
    return float(torch.exp(-total / hot.sum()))
