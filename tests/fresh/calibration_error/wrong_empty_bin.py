# divides by the size of an empty bin
def calibration_error(confidences, right, bins):
    total = 0
    for k in range(bins):
        inside = [i for i, c in enumerate(confidences) if min(int(c * bins), bins - 1) == k]
        claimed = sum(confidences[i] for i in inside) / len(inside)
        true = sum(right[i] for i in inside) / len(inside)
        total += len(inside) / len(confidences) * abs(true - claimed)
    return total
