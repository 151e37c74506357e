# a reshape with the right shape and the wrong numbers
def one_big_projection(small):
    h, d_in, d_k = small.shape
    return small.reshape(d_in, h * d_k)
