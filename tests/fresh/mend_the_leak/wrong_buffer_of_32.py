# A triangle of 32 positions.
LOW = torch.ones(32, 32, dtype=torch.float64).tril()


def mend_the_leak(heads):
    T = heads.shape[2]
    norms = (LOW[:T, :T].to(heads) @ heads.square().sum(-1, keepdim=True)).sqrt()
    return heads * norms / norms.mean(1, keepdim=True)
