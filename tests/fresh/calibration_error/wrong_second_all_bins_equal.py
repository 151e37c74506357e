# the plain mean of the distances of the bins, not weighted by their answers
def calibration_error(confidences, right, bins):
    distances = []
    for k in range(bins):
        inside = [i for i, c in enumerate(confidences) if min(int(c * bins), bins - 1) == k]
        if inside:
            claimed = sum(confidences[i] for i in inside) / len(inside)
            true = sum(right[i] for i in inside) / len(inside)
            distances.append(abs(true - claimed))
    return sum(distances) / len(distances)
