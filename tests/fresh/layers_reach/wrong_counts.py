# returns the number of paths
def layers_reach(mask, layers):
    return torch.linalg.matrix_power(mask.long().double(), layers).long()
