# recursion: halves the number of layers; products cut back to 0 and 1 each time
def layers_reach(mask, layers):
    if layers == 1:
        return mask.clone()
    half = layers_reach(mask, layers // 2).double()
    both = half @ half > 0
    if layers % 2:
        both = both.double() @ mask.double() > 0
    return both
