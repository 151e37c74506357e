# torch's fused functions addcmul and addcdiv
def adagrad_step(parameter, gradient, total, learning_rate):
    total = torch.addcmul(total, gradient, gradient)
    return torch.addcdiv(parameter, gradient, total.sqrt() + 1e-10, value=-learning_rate), total
