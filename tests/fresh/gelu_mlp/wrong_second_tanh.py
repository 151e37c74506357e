# the approximation with tanh instead of the exact GELU
def gelu_mlp(x, w_1, b_1, w_2, b_2):
    return F.gelu(x @ w_1 + b_1, approximate="tanh") @ w_2 + b_2
