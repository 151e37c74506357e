# Dropout, always on.
def gelu_mlp(x, w_1, b_1, w_2, b_2):
    return F.dropout(F.gelu(x @ w_1 + b_1) @ w_2 + b_2, 0.1)
