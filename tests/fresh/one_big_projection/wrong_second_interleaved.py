# the columns of the heads alternate
def one_big_projection(small):
    h, d_in, d_k = small.shape
    return small.permute(1, 2, 0).reshape(d_in, h * d_k)
