# erf(z).
def gelu_mlp(x, w_1, b_1, w_2, b_2):
    z = x @ w_1 + b_1
    return (0.5 * z * (1 + torch.erf(z))) @ w_2 + b_2
