# right table, but mask itself is changed
def layers_reach(mask, layers):
    once = mask.float()
    for _ in range(layers - 1):
        mask |= (once @ mask.float()) > 0
    return mask
