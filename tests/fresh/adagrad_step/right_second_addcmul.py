# fused torch operations that return new tensors
def adagrad_step(parameter, gradient, total, learning_rate):
    total = torch.addcmul(total, gradient, gradient)
    parameter = torch.addcdiv(parameter, gradient, total.sqrt().add(1e-10), value=-learning_rate)
    return parameter, total
