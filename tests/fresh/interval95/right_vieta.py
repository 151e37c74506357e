# the second border from the product of the roots
def interval95(correct, total):
    share = correct / total
    a, b, c = 1 + 3.8416 / total, -(2 * share + 3.8416 / total), share * share
    high = (-b + math.sqrt(max(0.0, b * b - 4 * a * c))) / (2 * a)
    return c / a / high, min(1.0, high)
