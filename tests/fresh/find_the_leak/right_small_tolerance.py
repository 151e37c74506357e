# Compares with a tolerance of 1e-10.
def find_the_leak(forward, x):
    out = forward(x)
    for s in range(1, x.shape[1]):
        for _ in range(5):
            new = torch.cat([x[:, :s], torch.randn_like(x[:, s:])], 1)
            if not torch.allclose(forward(new)[:, :s], out[:, :s], rtol=0, atol=1e-10):
                return True
    return False
