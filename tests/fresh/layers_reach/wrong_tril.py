# assumes that the mask is causal
def layers_reach(mask, layers):
    return (torch.linalg.matrix_power(mask.double(), layers) > 0).tril()
