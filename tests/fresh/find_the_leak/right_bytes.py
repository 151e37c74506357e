# Compares the outputs byte by byte.
def find_the_leak(forward, x):
    def past(y, s):
        return np.ascontiguousarray(forward(y).detach().numpy()[:, :s]).tobytes()

    for s in range(1, x.shape[1]):
        for _ in range(4):
            y = torch.where(torch.arange(x.shape[1])[None, :, None] >= s, torch.randn_like(x), x)
            if past(y, s) != past(x, s):
                return True
    return False
