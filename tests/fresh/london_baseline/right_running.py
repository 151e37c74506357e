# a running average
def london_baseline(pairs):
    accuracy = 0.0
    for i, pair in enumerate(pairs, start=1):
        accuracy += ((pair[1] == "London") - accuracy) / i
    return accuracy
