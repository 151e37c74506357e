# torch's own AdamW with its state set by hand
def adamw_step(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    leaf = parameter.detach().clone().requires_grad_()
    leaf.grad = gradient.detach().clone()
    optimizer = torch.optim.AdamW([leaf], lr=float(learning_rate), weight_decay=float(weight_decay))
    optimizer.state[leaf] = {"step": torch.tensor(float(step - 1)), "exp_avg": mean.clone(), "exp_avg_sq": square.clone()}
    optimizer.step()
    return leaf.detach(), optimizer.state[leaf]["exp_avg"], optimizer.state[leaf]["exp_avg_sq"]
