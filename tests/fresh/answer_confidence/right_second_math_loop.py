# plain Python: sums log probabilities with fsum
def answer_confidence(logits, tokens):
    total = []
    for row, token in zip(logits.tolist(), tokens.tolist()):
        top = max(row)
        total.append(row[token] - top - math.log(sum(math.exp(value - top) for value in row)))
    return math.exp(math.fsum(total))
