# each probability as 1 / sum of exp of differences to the chosen logit, multiplied up by numpy
def answer_confidence(logits, tokens):
    scores = logits.detach().cpu().numpy().astype(np.float64)
    chosen = np.take_along_axis(scores, tokens.cpu().numpy()[:, None], axis=1)
    with np.errstate(over="ignore"):
        of_each = 1 / np.exp(scores - chosen).sum(axis=1)  # an infinite sum gives 0
    return float(np.prod(of_each))
