# whole numbers, clamped at each step
def layers_reach(mask, layers):
    reached = mask.long()
    for _ in range(1, layers):
        reached = reached.matmul(mask.long()).clamp(max=1)
    return reached.bool()
