# The root of the mean square so far: the factor √(t + 1) cancels.
def mend_the_leak(heads):
    squares = heads.square().mean(-1)
    count = torch.arange(1, heads.shape[2] + 1, device=heads.device)
    rms = (squares.cumsum(-1) / count).sqrt()
    return heads * (rms / rms.mean(1, keepdim=True)).unsqueeze(-1)
