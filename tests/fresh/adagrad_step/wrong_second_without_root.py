# divides by the sum of squares itself
def adagrad_step(parameter, gradient, total, learning_rate):
    new_total = total + gradient**2
    return parameter - learning_rate * gradient / (new_total + 1e-10), new_total
