# moving averages by lerp, the corrections moved into one factor
def adamw_step(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    new_mean = torch.lerp(mean, gradient, 0.1)
    new_square = torch.lerp(square, gradient.square(), 0.001)
    size = new_square.div(1 - 0.999**step).sqrt_().add_(1e-8)
    rate = learning_rate / (1 - 0.9**step)
    moved = parameter * (1 - learning_rate * weight_decay) - rate * new_mean / size
    return moved, new_mean, new_square
