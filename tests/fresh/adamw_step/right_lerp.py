# lerp for both averages
def adamw_step(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    mean = torch.lerp(mean, gradient, 0.1)
    square = torch.lerp(square, gradient**2, 0.001)
    m, v = mean / (1 - 0.9**step), square / (1 - 0.999**step)
    return parameter.mul(1 - learning_rate * weight_decay) - learning_rate * m / (v.sqrt() + 1e-8), mean, square
