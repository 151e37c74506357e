# A list of losses, one for each target.
def next_token_loss(logits, tokens, pad):
    losses = []
    for row, numbers in zip(logits, tokens.tolist()):
        for t in range(1, len(numbers)):
            if numbers[t] == pad:
                continue
            losses.append(torch.logsumexp(row[t - 1], 0) - row[t - 1, numbers[t]])
    return torch.stack(losses).mean()
