# Changes only channel 0 of the later positions.
def find_the_leak(forward, x):
    before = forward(x)
    for s in range(1, x.shape[1]):
        for _ in range(5):
            other = x.clone()
            other[:, s:, 0] = torch.randn_like(other[:, s:, 0])
            if not torch.equal(forward(other)[:, :s], before[:, :s]):
                return True
    return False
