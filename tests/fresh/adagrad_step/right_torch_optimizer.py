# torch's own Adagrad with its state set by hand
def adagrad_step(parameter, gradient, total, learning_rate):
    leaf = parameter.detach().clone().requires_grad_(True)
    leaf.grad = gradient.detach().clone()
    optimizer = torch.optim.Adagrad([leaf], lr=float(learning_rate))
    optimizer.state[leaf]["sum"] = total.detach().clone()
    optimizer.step()
    return leaf.detach(), optimizer.state[leaf]["sum"]
