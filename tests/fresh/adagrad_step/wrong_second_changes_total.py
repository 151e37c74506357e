# adds the squares to the tensor that was given
def adagrad_step(parameter, gradient, total, learning_rate):
    total += gradient * gradient
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-10), total
