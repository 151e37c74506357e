# changes the future and looks at the outputs in row 0 only
def find_the_leak(forward, x):
    before = forward(x.clone())
    for cut in range(1, x.shape[1]):
        for _ in range(8):
            changed = x.clone()
            changed[0, cut:] = torch.randn_like(changed[0, cut:]) * 3
            if not torch.equal(forward(changed)[0, :cut], before[0, :cut]):
                return True
    return False
