# Only the last eight positions count.
def mend_the_leak(heads):
    squares = heads.square().sum(-1, keepdim=True)
    norms = sum(F.pad(squares, (0, 0, s, 0))[:, :, : heads.shape[2]] for s in range(8)).sqrt()
    return heads * norms / norms.mean(1, keepdim=True)
