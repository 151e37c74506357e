# follows one link for each position only, the smallest index
def layers_reach(mask, layers):
    reached = mask
    first = mask.float().argmax(dim=1)
    for _ in range(layers - 1):
        reached = mask | reached[first]
    return reached
