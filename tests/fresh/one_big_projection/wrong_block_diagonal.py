# A block-diagonal matrix.
def one_big_projection(small):
    return torch.block_diag(*small)
