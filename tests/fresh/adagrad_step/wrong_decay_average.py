# an average instead of a sum (RMSprop)
def adagrad_step(parameter, gradient, total, learning_rate):
    total = 0.9 * total + 0.1 * gradient**2
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-10), total
