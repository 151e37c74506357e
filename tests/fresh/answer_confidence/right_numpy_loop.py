# numpy, float64, one row at a time, a numpy scalar
def answer_confidence(logits, tokens):
    p = np.float64(1)
    for row, token in zip(logits.numpy(), tokens.numpy()):
        e = np.exp(row.astype(np.float64) - row.max())
        p *= e[token] / e.sum()
    return p
