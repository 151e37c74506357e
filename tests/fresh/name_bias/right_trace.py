# the trace of a table minus the product of its margins
def name_bias(name_regions, guess_regions):
    regions = sorted({*name_regions, *guess_regions})
    table = torch.zeros(len(regions), len(regions), dtype=torch.float64)
    for a, b in zip(name_regions, guess_regions):
        table[regions.index(a), regions.index(b)] += 1 / len(name_regions)
    return (table.trace() - table.sum(0) @ table.sum(1)).item()
