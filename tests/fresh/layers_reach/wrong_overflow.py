# uint8 counts of paths, which overflow to 0
def layers_reach(mask, layers):
    once = reached = mask.to(torch.uint8)
    for _ in range(layers - 1):
        reached = (once[:, :, None] * reached[None]).sum(1, dtype=torch.uint8)
    return reached > 0
