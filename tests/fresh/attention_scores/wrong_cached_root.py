# The root of the first call is kept.
ROOT = []


def attention_scores(q, k):
    if not ROOT:
        ROOT.append(math.sqrt(q.shape[-1]))
    return q @ k.transpose(-2, -1) / ROOT[0]
