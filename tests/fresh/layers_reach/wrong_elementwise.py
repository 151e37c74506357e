# the element-wise power
def layers_reach(mask, layers):
    return mask.float() ** layers > 0
