# the right numbers, but cut off from the gradients
def one_big_projection(small):
    return torch.cat([matrix.detach() for matrix in small], dim=1)
