# The approximation with a sigmoid.
def gelu_mlp(x, w_1, b_1, w_2, b_2):
    z = x @ w_1 + b_1
    return (z * torch.sigmoid(1.702 * z)) @ w_2 + b_2
