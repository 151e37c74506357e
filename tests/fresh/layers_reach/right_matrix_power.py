# an integer matrix power
def layers_reach(mask, layers):
    return torch.linalg.matrix_power(mask.double(), layers) > 0
