# view after transpose.
def one_big_projection(small):
    h, d_in, d_k = small.shape
    return small.transpose(0, 1).view(d_in, h * d_k)
