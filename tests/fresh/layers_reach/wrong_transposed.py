# transposed at each second layer
def layers_reach(mask, layers):
    reached = mask
    for _ in range(layers - 1):
        reached = (mask.float() @ reached.T.float()) > 0
    return reached
