# follows the links backwards: who is reached from t, not what t reaches
def layers_reach(mask, layers):
    reach = mask.float()
    for _ in range(layers - 1):
        reach = ((reach @ mask.float()) > 0).float()
    return reach.bool().T
