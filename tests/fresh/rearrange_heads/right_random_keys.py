# Sorting random numbers gives a random order.
def rearrange_heads(heads, how):
    match how:
        case "shift":
            return torch.cat([heads[:, -1:], heads[:, :-1]], dim=1)
        case "shuffle":
            return heads.index_select(1, torch.rand(heads.size(1)).argsort())
