# exponentiates each loss before averaging
def perplexity(logits, targets):
    loss = F.cross_entropy(logits.transpose(1, 2), targets, ignore_index=0, reduction="none")
    keep = targets != 0
    return (loss.exp() * keep).sum() / keep.sum()
