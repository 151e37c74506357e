# averages each row first, so short rows count too much
def perplexity(logits, targets):
    log_p = F.log_softmax(logits, dim=-1)
    rows = []
    for b in range(len(targets)):
        keep = targets[b] != 0
        if keep.any():
            rows.append(-log_p[b][keep].gather(1, targets[b][keep][:, None]).mean())
    return torch.exp(torch.stack(rows).mean())
