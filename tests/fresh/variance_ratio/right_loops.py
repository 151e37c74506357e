# Python floats and loops
def variance_ratio(one, two, epsilon):
    def spread(table):
        rows = [row for row, e in zip(table.tolist(), epsilon.tolist()) if e > 0]
        means = [sum(c) / len(rows) for c in zip(*rows)]
        return sum((x - m) ** 2 for row in rows for x, m in zip(row, means)) / len(rows)
    return spread(one) / spread(two)
