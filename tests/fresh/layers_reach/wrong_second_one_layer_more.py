# one multiplication too many
def layers_reach(mask, layers):
    reach = mask.clone()
    for _ in range(layers):
        reach = (reach.float() @ mask.float()) > 0
    return reach
