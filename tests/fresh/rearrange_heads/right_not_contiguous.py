# Heads to the front, reordered, and back: a view with other strides.
def rearrange_heads(heads, how):
    front = heads.transpose(0, 1)
    n = len(front)
    picks = random.sample(range(n), k=n) if how == "shuffle" else [n - 1] + list(range(n - 1))
    return front[picks].transpose(0, 1)
