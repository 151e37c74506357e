# Doubles the later positions.
def find_the_leak(forward, x):
    before = forward(x)
    for s in range(1, x.shape[1]):
        other = x.clone()
        other[:, s:] *= 2
        if not torch.equal(forward(other)[:, :s], before[:, :s]):
            return True
    return False
