# divides by the total before the step
def adagrad_step(parameter, gradient, total, learning_rate):
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-10), total + gradient**2
