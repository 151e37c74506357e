# torch's Categorical distribution gives the log-probabilities.
def perplexity(logits, targets):
    log_p = torch.distributions.Categorical(logits=logits).log_prob(targets)
    return torch.exp(-log_p[targets.bool()].mean()).item()
