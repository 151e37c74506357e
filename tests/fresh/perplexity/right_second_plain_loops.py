# no torch operations: logsumexp by hand over nested lists
def perplexity(logits, targets):
    """Perplexity by plain Python."""
    rows, words = logits.tolist(), targets.tolist()
    total, count = 0.0, 0
    for row, wanted in zip(rows, words):
        for scores, word in zip(row, wanted):
            if word == 0:
                continue
            top = max(scores)
            log_sum = top + math.log(math.fsum(math.exp(s - top) for s in scores))
            total += log_sum - scores[word]
            count += 1
    return math.exp(total / count)
