# recursion, with half of the layers
def layers_reach(mask, layers):
    if layers == 1:
        return mask.clone()
    half = layers_reach(mask, layers // 2).int()
    both = half @ half > 0
    return both if layers % 2 == 0 else (both.int() @ mask.int()) > 0
