# one layer too many
def layers_reach(mask, layers):
    reached = mask
    for _ in range(layers):
        reached = (mask.float() @ reached.float()) > 0
    return reached
