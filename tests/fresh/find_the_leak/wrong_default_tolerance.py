# allclose with its own tolerance, which lets a millionth pass.
def find_the_leak(forward, x):
    before = forward(x)
    for s in range(1, x.shape[1]):
        for _ in range(5):
            other = x.clone()
            other[:, s:] = torch.randn_like(other[:, s:])
            if not torch.allclose(forward(other)[:, :s], before[:, :s]):
                return True
    return False
