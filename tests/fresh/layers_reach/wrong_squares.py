# squares the table, so paths double at each layer
def layers_reach(mask, layers):
    reached = mask
    for _ in range(layers - 1):
        reached = (reached.float() @ reached.float()) > 0
    return reached
