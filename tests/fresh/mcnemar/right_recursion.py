# Pascal's triangle by hand and a Counter of pairs; returns a list
def mcnemar(first, second):
    seen = Counter(zip(map(bool, first), map(bool, second)))
    b, c = seen[True, False], seen[False, True]
    row = [1]
    for _ in range(b + c):
        row = [x + y for x, y in zip([0, *row], [*row, 0])]
    p = sum(row[: min(b, c) + 1]) * 2 / sum(row)
    return [b, c, p if p < 1 else 1]
