# Changes a row and compares this row only.
def find_the_leak(forward, x):
    before = forward(x)
    for b in range(x.shape[0]):
        for s in range(1, x.shape[1]):
            other = x.clone()
            other[b, s:] = torch.randn_like(other[b, s:])
            if not torch.equal(forward(other)[b, :s], before[b, :s]):
                return True
    return False
