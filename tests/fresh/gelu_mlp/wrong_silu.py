# SiLU.
def gelu_mlp(x, w_1, b_1, w_2, b_2):
    return F.silu(x @ w_1 + b_1) @ w_2 + b_2
