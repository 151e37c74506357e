# A sum over the past as a convolution with ones.
def mend_the_leak(heads):
    B, h, T, d = heads.shape
    squares = heads.square().sum(-1).reshape(B * h, 1, T)
    summed = F.conv1d(F.pad(squares, (T - 1, 0)), squares.new_ones(1, 1, T)).reshape(B, h, T, 1)
    norms = summed.sqrt()
    return heads * norms / norms.mean(1, keepdim=True)
