# Columns of the heads alternate.
def one_big_projection(small):
    return small.permute(1, 2, 0).flatten(1)
