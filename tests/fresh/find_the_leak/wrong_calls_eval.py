# Calls forward.eval(), which a plain function does not have.
def find_the_leak(forward, x):
    forward.eval()
    before = forward(x)
    for s in range(1, x.shape[1]):
        other = x.clone()
        other[:, s:] = torch.randn_like(other[:, s:])
        if not torch.equal(forward(other)[:, :s], before[:, :s]):
            return True
    return False
