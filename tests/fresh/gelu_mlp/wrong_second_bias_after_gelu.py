# the first bias is added after the GELU
def gelu_mlp(x, w_1, b_1, w_2, b_2):
    return (F.gelu(x @ w_1) + b_1) @ w_2 + b_2
