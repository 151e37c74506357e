# Each small matrix is transposed.
def one_big_projection(small):
    h, d_in, d_k = small.shape
    return small.transpose(1, 2).reshape(h * d_k, d_in).reshape(d_in, h * d_k)
