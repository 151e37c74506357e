# small itself is transposed.
def one_big_projection(small):
    small.transpose_(0, 1)
    return small.reshape(small.shape[0], -1)
