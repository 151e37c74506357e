# cuts each row at its first padding, as if padding stood only at the end
def perplexity(logits, targets):
    losses = []
    for row, wanted in zip(logits, targets):
        for scores, word in zip(row, wanted):
            if word == 0:
                break
            losses.append(-torch.log_softmax(scores, dim=0)[word])
    return torch.stack(losses).mean().exp()
