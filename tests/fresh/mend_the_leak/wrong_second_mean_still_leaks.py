# causal norms, but divided by the mean of the norms over the whole row
def mend_the_leak(heads):
    causal = heads.square().sum(dim=3, keepdim=True).cumsum(dim=2).sqrt()
    whole = torch.linalg.matrix_norm(heads, keepdim=True)
    return heads * causal / whole.mean(dim=1, keepdim=True)
