# Changes the second half only.
def find_the_leak(forward, x):
    s = x.shape[1] // 2
    for _ in range(10):
        other = x.clone()
        other[:, s:] = torch.randn_like(other[:, s:])
        if not torch.equal(forward(other)[:, :s], forward(x)[:, :s]):
            return True
    return False
