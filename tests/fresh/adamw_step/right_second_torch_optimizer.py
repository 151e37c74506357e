# lets torch.optim.AdamW do it: a copy of the parameter and a state that is set by hand
def adamw_step(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    p = nn.Parameter(parameter.detach().clone())
    p.grad = gradient.detach().clone()
    optimizer = torch.optim.AdamW([p], lr=learning_rate, betas=(0.9, 0.999), eps=1e-8, weight_decay=weight_decay)
    optimizer.state[p] = {
        "step": torch.tensor(float(step - 1)),
        "exp_avg": mean.detach().clone(),
        "exp_avg_sq": square.detach().clone(),
    }
    optimizer.step()
    state = optimizer.state[p]
    return p.detach(), state["exp_avg"], state["exp_avg_sq"]
