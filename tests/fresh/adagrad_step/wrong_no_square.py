# adds absolute values instead of squares
def adagrad_step(parameter, gradient, total, learning_rate):
    total = total + gradient.abs()
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-10), total
