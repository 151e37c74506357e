# Rows one below the other, then transposed.
def one_big_projection(small):
    return small.mT.reshape(-1, small.shape[1]).T
