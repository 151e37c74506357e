# the upper border from the lower one of the wrong answers
def interval95(correct, total):
    def low(k):
        s, c = k / total, 1.96**2 / total
        return (s + c / 2 - math.sqrt(c * (s * (1 - s) + c / 4))) / (1 + c)

    return low(correct), 1 - low(total - correct)
