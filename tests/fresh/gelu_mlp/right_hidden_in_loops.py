# A sum over the hidden units.
def gelu_mlp(x, w_1, b_1, w_2, b_2):
    out = b_2
    for i in range(len(b_1)):
        z = (x * w_1[:, i]).sum(-1, keepdim=True) + b_1[i]
        out = out + F.gelu(z) * w_2[i]
    return out
