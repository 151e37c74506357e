# erf of z / torch.sqrt(torch.tensor(2.0)), in float32.
def gelu_mlp(x, w_1, b_1, w_2, b_2):
    z = x @ w_1 + b_1
    return (0.5 * z * (1.0 + torch.erf(z / torch.sqrt(torch.tensor(2.0))))) @ w_2 + b_2
