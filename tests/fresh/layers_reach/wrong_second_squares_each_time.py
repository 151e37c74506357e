# squares the table in each layer, so the paths double instead of growing by one
def layers_reach(mask, layers):
    reach = mask.clone()
    for _ in range(layers - 1):
        reach = (reach.float() @ reach.float()) > 0
    return reach
