# Python's random.shuffle on a list of heads, stacked again.
def rearrange_heads(heads, how):
    each = list(heads.unbind(1))
    if how == "shift":
        each.insert(0, each.pop())
    else:
        random.shuffle(each)
    return torch.stack(each, dim=1)
