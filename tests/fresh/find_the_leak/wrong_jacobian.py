# Only asks the gradient, which is 0 for signs.
def find_the_leak(forward, x):
    J = torch.autograd.functional.jacobian(forward, x)
    B, T, d = x.shape
    for t in range(T):
        if J[:, t, :, :, t + 1 :].abs().sum() > 0:
            return True
    return False
