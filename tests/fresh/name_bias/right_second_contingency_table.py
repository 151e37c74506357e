# a table of counts as a numpy matrix: its trace, and the product of its margins
def name_bias(name_regions, guess_regions):
    labels = {region: i for i, region in enumerate(dict.fromkeys([*name_regions, *guess_regions]))}
    table = np.zeros((len(labels), len(labels)))
    for name, guess in zip(name_regions, guess_regions):
        table[labels[name], labels[guess]] += 1
    table /= table.sum()
    return float(np.trace(table) - table.sum(axis=0) @ table.sum(axis=1))
