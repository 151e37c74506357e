# the absolute value of each answer, not of each bin
def calibration_error(confidences, right, bins):
    return sum(abs(hit - c) for c, hit in zip(confidences, right)) / len(confidences)
