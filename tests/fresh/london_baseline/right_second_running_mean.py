# a running mean, one pair after the other
def london_baseline(pairs, answer="London"):
    accuracy = 0.0
    for n, (_, place) in enumerate(pairs, start=1):
        accuracy += ((place == answer) - accuracy) / n
    return accuracy
