# unbinds the heads and stacks them in the order of a list
def rearrange_heads(heads, how):
    each = list(heads.unbind(dim=1))
    if how == "shift":
        each.insert(0, each.pop())
    else:
        each = random.sample(each, k=len(each))
    return torch.stack(each, dim=1)
