# the textbook interval, with the standard error of the measured share
def interval95(correct, total):
    p = correct / total
    reach = 1.96 * math.sqrt(p * (1 - p) / total)
    return max(0.0, p - reach), min(1.0, p + reach)
