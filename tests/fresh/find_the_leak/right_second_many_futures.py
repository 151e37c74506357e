# for each cut, several replaced futures; earlier outputs compared exactly
def find_the_leak(forward, x):
    original = x.detach().clone()
    generator = torch.Generator().manual_seed(17)
    with torch.no_grad():
        before = forward(original.clone()).clone()
        T = x.shape[1]
        for cut in range(1, T):
            tail = original[:, cut:]
            noise = [torch.randn(tail.shape, generator=generator, dtype=torch.float64) * size for size in (1.0, 1.0, 10.0, 100.0) * 4]
            for new in (-tail, 2 * tail + 1, *noise):
                changed = original.clone()
                changed[:, cut:] = new
                if not torch.equal(forward(changed)[:, :cut], before[:, :cut]):
                    return True
    return False
