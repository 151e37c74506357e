# divides by the root of the sum over all numbers in place of each number's own
def adagrad_step(parameter, gradient, total, learning_rate):
    new_total = total + gradient.square()
    return parameter - learning_rate * gradient / (new_total.sum().sqrt() + 1e-10), new_total
