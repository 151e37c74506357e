# everything that can ever be reached
def layers_reach(mask, layers):
    reached = mask
    for _ in range(len(mask)):
        reached = (mask.float() @ reached.float()) > 0
    return reached if layers > 1 else mask.clone()
