# changes the last position only, so a leak from the middle is missed
def find_the_leak(forward, x):
    before = forward(x.clone())
    for factor in (-1.0, 0.0, 2.0, -30.0):
        changed = x.clone()
        changed[:, -1] = changed[:, -1] * factor + torch.randn_like(changed[:, -1])
        if not torch.equal(forward(changed)[:, :-1], before[:, :-1]):
            return True
    return False
