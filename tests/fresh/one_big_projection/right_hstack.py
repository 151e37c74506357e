# hstack of a tuple.
def one_big_projection(small):
    return torch.hstack(small.unbind())
