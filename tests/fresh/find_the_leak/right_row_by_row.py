# Each row of the batch by itself, and each position: every earlier output of every row is compared.
def find_the_leak(forward, x):
    B, T, d = x.shape
    base = forward(x)
    found = False
    for b in range(B):
        for t in range(T - 1, 0, -1):
            for _ in range(4):
                changed = x.clone()
                changed[b, t:] = 2 * torch.randn(T - t, d, dtype=torch.float64)
                found |= bool((forward(changed)[:, :t] != base[:, :t]).any())
    return found
