# asks each bin for its answers, with the two comparisons of the statement
def calibration_error(confidences, right, bins):
    answers = list(zip(confidences, right))
    error = 0.0
    for k in range(bins):
        low, high = k / bins, (k + 1) / bins
        inside = [(c, hit) for c, hit in answers if low <= c < high or (c == 1 and k == bins - 1)]
        if not inside:
            continue
        claimed = sum(c for c, _ in inside)
        true = sum(hit for _, hit in inside)
        error += abs(true - claimed)  # n_k · |true share − mean claim|
    return error / len(answers)
