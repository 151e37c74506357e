# Both factors are divided by the fourth root.
def attention_scores(q, k):
    root = q.shape[-1] ** 0.25
    return (q / root) @ (k / root).transpose(-1, -2)
