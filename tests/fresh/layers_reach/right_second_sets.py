# sets of neighbours in plain Python, one union for each layer, stops early when nothing is new
def layers_reach(mask, layers):
    attends = [{i for i, allowed in enumerate(row) if allowed} for row in mask.tolist()]
    reach = [set(row) for row in attends]
    for _ in range(layers - 1):
        wider = [set().union(*(attends[i] for i in row)) for row in reach]
        if wider == reach:
            break
        reach = wider
    T = len(attends)
    table = torch.zeros(T, T, dtype=torch.bool)
    for t, row in enumerate(reach):
        table[t, list(row)] = True
    return table
