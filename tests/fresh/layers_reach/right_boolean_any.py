# boolean broadcasting and any
def layers_reach(mask, layers):
    seen = torch.eye(len(mask), dtype=torch.bool)
    for _ in range(layers):
        seen = (mask[:, :, None] & seen[None]).any(dim=1)
    return seen
