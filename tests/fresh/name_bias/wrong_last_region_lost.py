# the regions of the notebook are written down
def name_bias(name_regions, guess_regions):
    N = len(name_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / N
    regions = sorted(set(name_regions))[:4]
    return agree - sum(name_regions.count(r) * guess_regions.count(r) for r in regions) / N**2
