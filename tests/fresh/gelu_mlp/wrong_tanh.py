# The approximation with tanh, written out.
def gelu_mlp(x, w_1, b_1, w_2, b_2):
    z = x @ w_1 + b_1
    g = 0.5 * z * (1 + torch.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3)))
    return g @ w_2 + b_2
