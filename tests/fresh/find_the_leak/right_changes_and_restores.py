# Changes x itself and puts the old numbers back.
def find_the_leak(forward, x):
    before = forward(x).clone()
    old = x.clone()
    leak = False
    for s in range(1, x.shape[1]):
        for _ in range(3):
            x[:, s:] = torch.randn_like(x[:, s:])
            leak = leak or not torch.equal(forward(x)[:, :s], before[:, :s])
            x.copy_(old)
    return leak
