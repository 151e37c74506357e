# Turns the signs of the later positions round.
def find_the_leak(forward, x):
    before = forward(x)
    for s in range(1, x.shape[1]):
        other = x.clone()
        other[:, s:] = -other[:, s:]
        if not torch.equal(forward(other)[:, :s], before[:, :s]):
            return True
    return False
