# Changes the last position only.
def find_the_leak(forward, x):
    other = x.clone()
    other[:, -1] = torch.randn_like(other[:, -1])
    return not torch.equal(forward(other)[:, :-1], forward(x)[:, :-1])
