# mean squared distance from the mean, coordinate by coordinate, on the selected rows
def variance_ratio(one, two, epsilon):
    rows = torch.nonzero(epsilon > 0).squeeze(1)
    totals = []
    for outputs in (one, two):
        chosen = outputs.index_select(0, rows)
        total = 0.0
        for j in range(chosen.shape[1]):
            column = chosen[:, j]
            total += ((column - column.mean()) ** 2).mean()
        totals.append(total)
    return totals[0] / totals[1]
