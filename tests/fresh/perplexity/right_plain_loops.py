# Plain Python loops, with the largest logit taken off first.
def perplexity(logits, targets):
    losses = []
    for row, words in zip(logits.tolist(), targets.tolist()):
        for scores, word in zip(row, words):
            if word == 0:
                continue
            top = max(scores)
            total = top + math.log(math.fsum(math.exp(s - top) for s in scores))
            losses.append(total - scores[word])
    return math.exp(statistics.fmean(losses))
