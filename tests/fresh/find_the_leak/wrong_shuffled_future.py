# Only puts the later positions into another order.
def find_the_leak(forward, x):
    before = forward(x)
    for s in range(1, x.shape[1]):
        for _ in range(5):
            order = torch.cat((torch.arange(s), s + torch.randperm(x.shape[1] - s)))
            if not torch.equal(forward(x[:, order])[:, :s], before[:, :s]):
                return True
    return False
