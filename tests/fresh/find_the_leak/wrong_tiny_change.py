# Changes the later inputs by 1e-6 only, so signs stay.
def find_the_leak(forward, x):
    before = forward(x)
    for s in range(1, x.shape[1]):
        other = x.clone()
        other[:, s:] += 1e-6 * torch.randn_like(other[:, s:])
        if not torch.equal(forward(other)[:, :s], before[:, :s]):
            return True
    return False
