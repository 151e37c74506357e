# A table of limits up to ten runs, and 1.96 beyond.
LIMIT = {3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365, 9: 2.306, 10: 2.262}


def is_it_a_difference(first, second):
    gaps = [a - b for a, b in zip(first, second)]
    t = statistics.fmean(gaps) / (statistics.stdev(gaps) / math.sqrt(len(gaps)))
    return abs(t) > LIMIT.get(len(gaps), 1.96)
