# the two logits differ by 5 / beta, which tends to 0
def average_two(keys, a, b, beta):
    return beta**2 * (keys[a] + keys[b]) + 5 / beta * keys[a]
