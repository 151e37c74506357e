# Columns set one after the other.
def one_big_projection(small):
    h, d_in, d_k = small.shape
    W = torch.zeros(d_in, h * d_k).to(small)
    for j in range(h):
        W[:, j * d_k : (j + 1) * d_k] = small[j]
    return W
