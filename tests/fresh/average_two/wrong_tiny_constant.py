# the two logits differ by a constant of 1e-6
def average_two(keys, a, b, beta):
    return beta * keys[a] + (beta + 1e-6) * keys[b]
