# Padding becomes nan, and nanmean leaves it out.
def perplexity(logits, targets):
    loss = F.nll_loss(logits.log_softmax(-1).flatten(0, 1), targets.flatten(), reduction="none")
    loss = torch.where(targets.flatten() == 0, torch.nan, loss)
    return loss.nanmean().exp()
