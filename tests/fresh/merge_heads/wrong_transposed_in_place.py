# x is transposed in place.
def merge_heads(x):
    x.transpose_(1, 2)
    return x.reshape(x.shape[0], x.shape[1], -1)
