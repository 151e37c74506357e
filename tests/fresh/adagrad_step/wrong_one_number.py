# one rate for the whole tensor: the sum over all numbers
def adagrad_step(parameter, gradient, total, learning_rate):
    total = total + (gradient**2).sum()
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-10), total
