"""Fresh answers to adamw_step."""


# a small class with betas as attributes
right_class_inside = """
class Moments:
    def __init__(self, beta, value):
        self.beta, self.value = beta, value

    def __call__(self, new):
        self.value = self.value * self.beta + new * (1 - self.beta)
        return self

    def corrected(self, t):
        return self.value / (1 - self.beta**t)


def adamw_step(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    m, v = Moments(0.9, mean)(gradient), Moments(0.999, square)(gradient.square())
    shrunk = parameter * (1 - learning_rate * weight_decay)
    return [shrunk - learning_rate * m.corrected(step) / (v.corrected(step) ** 0.5 + 1e-8), m.value, v.value]
"""


# the two corrections folded into one rate, and epsilon scaled with them
def right_folded_correction(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    b = math.sqrt(1 - 0.999**step)
    rate = learning_rate * b / (1 - 0.9**step)
    return parameter - learning_rate * weight_decay * parameter - rate * mean / (square.sqrt() + 1e-8 * b), mean, square


# lerp for both averages
def right_lerp(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    mean = torch.lerp(mean, gradient, 0.1)
    square = torch.lerp(square, gradient**2, 0.001)
    m, v = mean / (1 - 0.9**step), square / (1 - 0.999**step)
    return parameter.mul(1 - learning_rate * weight_decay) - learning_rate * m / (v.sqrt() + 1e-8), mean, square


# numpy in between
def right_numpy_in_between(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    p, g, m, v = (t.numpy() for t in (parameter, gradient, mean, square))
    m, v = m * 0.9 + g * 0.1, v * 0.999 + g * g * 0.001
    p = p * (1 - learning_rate * weight_decay) - learning_rate * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
    return tuple(torch.from_numpy(np.ascontiguousarray(each)) for each in (p, m, v))


# torch's own AdamW with its state set by hand
def right_torch_optimizer(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    leaf = parameter.detach().clone().requires_grad_()
    leaf.grad = gradient.detach().clone()
    optimizer = torch.optim.AdamW([leaf], lr=float(learning_rate), weight_decay=float(weight_decay))
    optimizer.state[leaf] = {"step": torch.tensor(float(step - 1)), "exp_avg": mean.clone(), "exp_avg_sq": square.clone()}
    optimizer.step()
    return leaf.detach(), optimizer.state[leaf]["exp_avg"], optimizer.state[leaf]["exp_avg_sq"]


# moving averages by lerp, the corrections moved into one factor
def right_second_lerp(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    new_mean = torch.lerp(mean, gradient, 0.1)
    new_square = torch.lerp(square, gradient.square(), 0.001)
    size = new_square.div(1 - 0.999**step).sqrt_().add_(1e-8)
    rate = learning_rate / (1 - 0.9**step)
    moved = parameter * (1 - learning_rate * weight_decay) - rate * new_mean / size
    return moved, new_mean, new_square


# lets torch.optim.AdamW do it: a copy of the parameter and a state that is set by hand
def right_second_torch_optimizer(parameter, gradient, mean, square, step, learning_rate, weight_decay):
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


# shrinks after the step
def wrong_decay_after(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
    p = parameter - learning_rate * mean / (1 - 0.9**step) / ((square / (1 - 0.999**step)).sqrt() + 1e-8)
    return (1 - learning_rate * weight_decay) * p, mean, square


# shrinks by the decay, not by rate times decay
def wrong_decay_without_rate(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
    p = (1 - weight_decay) * parameter
    return p - learning_rate * mean / (1 - 0.9**step) / ((square / (1 - 0.999**step)).sqrt() + 1e-8), mean, square


# the decay 0.01 of torch's default instead of weight_decay
def wrong_default_decay(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
    p = (1 - learning_rate * 0.01) * parameter
    return p - learning_rate * mean / (1 - 0.9**step) / ((square / (1 - 0.999**step)).sqrt() + 1e-8), mean, square


# adds epsilon to the root before the correction is divided out
def wrong_eps_before_correction(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
    p = (1 - learning_rate * weight_decay) * parameter
    return p - learning_rate * math.sqrt(1 - 0.999**step) / (1 - 0.9**step) * mean / (square.sqrt() + 1e-8), mean, square


# epsilon inside the root
def wrong_eps_inside(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
    p = (1 - learning_rate * weight_decay) * parameter
    return p - learning_rate * mean / (1 - 0.9**step) / (square / (1 - 0.999**step) + 1e-8).sqrt(), mean, square


# mul_ and add_ on the given averages
def wrong_in_place(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    mean.mul_(0.9).add_(gradient, alpha=0.1)
    square.mul_(0.999).addcmul_(gradient, gradient, value=0.001)
    p = (1 - learning_rate * weight_decay) * parameter
    return p - learning_rate * mean / (1 - 0.9**step) / ((square / (1 - 0.999**step)).sqrt() + 1e-8), mean, square


# adds the decay to the gradient (Adam with L2)
def wrong_l2(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    g = gradient + weight_decay * parameter
    mean, square = 0.9 * mean + 0.1 * g, 0.999 * square + 0.001 * g**2
    return parameter - learning_rate * mean / (1 - 0.9**step) / ((square / (1 - 0.999**step)).sqrt() + 1e-8), mean, square


# no bias correction
def wrong_no_correction(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
    return (1 - learning_rate * weight_decay) * parameter - learning_rate * mean / (square.sqrt() + 1e-8), mean, square


# no weight decay
def wrong_no_decay(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
    return parameter - learning_rate * mean / (1 - 0.9**step) / ((square / (1 - 0.999**step)).sqrt() + 1e-8), mean, square


# without epsilon: 0/0 where the gradient was always 0
def wrong_no_eps(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
    p = (1 - learning_rate * weight_decay) * parameter
    return p - learning_rate * mean / (1 - 0.9**step) / (square / (1 - 0.999**step)).sqrt(), mean, square


# returns the corrected averages
def wrong_returns_corrected(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
    mean, square = mean / (1 - 0.9**step), square / (1 - 0.999**step)
    return (1 - learning_rate * weight_decay) * parameter - learning_rate * mean / (square.sqrt() + 1e-8), mean, square


# counts steps from 0
def wrong_step_from_zero(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    step = step + 1
    mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
    p = (1 - learning_rate * weight_decay) * parameter
    return p - learning_rate * mean / (1 - 0.9**step) / ((square / (1 - 0.999**step)).sqrt() + 1e-8), mean, square


# 0.999 for the mean and 0.9 for the square
def wrong_swapped_betas(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    mean, square = 0.999 * mean + 0.001 * gradient, 0.9 * square + 0.1 * gradient**2
    p = (1 - learning_rate * weight_decay) * parameter
    return p - learning_rate * mean / (1 - 0.999**step) / ((square / (1 - 0.9**step)).sqrt() + 1e-8), mean, square


# adds the decay to the gradient, as Adam with L2 does
def wrong_second_decay_in_gradient(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    g = gradient + weight_decay * parameter
    mean = 0.9 * mean + 0.1 * g
    square = 0.999 * square + 0.001 * g * g
    m, v = mean / (1 - 0.9**step), square / (1 - 0.999**step)
    return parameter - learning_rate * m / (v.sqrt() + 1e-8), mean, square


# returns the corrected averages in place of m and v
def wrong_second_returns_corrected(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    mean = (0.9 * mean + 0.1 * gradient) / (1 - 0.9**step)
    square = (0.999 * square + 0.001 * gradient**2) / (1 - 0.999**step)
    shrunk = (1 - learning_rate * weight_decay) * parameter
    return shrunk - learning_rate * mean / (square.sqrt() + 1e-8), mean, square


# corrects with step + 1, as if the first step had the number 0
def wrong_second_step_from_zero(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    t = step + 1
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    shrunk = (1 - learning_rate * weight_decay) * parameter
    return shrunk - learning_rate * (mean / (1 - 0.9**t)) / ((square / (1 - 0.999**t)).sqrt() + 1e-8), mean, square


# the powers of the correction stop at step 10
def wrong_fourth_power_capped(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    step = min(step, 10)
    m = 0.9 * mean + 0.1 * gradient
    v = 0.999 * square + 0.001 * gradient**2
    p = parameter * (1 - learning_rate * weight_decay)
    return p - learning_rate * (m / (1 - 0.9**step)) / ((v / (1 - 0.999**step)).sqrt() + 1e-8), m, v


# no correction after 1,000 steps
def wrong_fourth_no_correction_very_late(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    m = 0.9 * mean + 0.1 * gradient
    v = 0.999 * square + 0.001 * gradient**2
    p = parameter * (1 - learning_rate * weight_decay)
    if step > 1000:
        return p - learning_rate * m / (v.sqrt() + 1e-8), m, v
    return p - learning_rate * (m / (1 - 0.9**step)) / ((v / (1 - 0.999**step)).sqrt() + 1e-8), m, v


# the gradient is limited to ±10
def wrong_fourth_clip_one(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    gradient = gradient.clamp(-10, 10)
    m = 0.9 * mean + 0.1 * gradient
    v = 0.999 * square + 0.001 * gradient**2
    p = parameter * (1 - learning_rate * weight_decay)
    return p - learning_rate * (m / (1 - 0.9**step)) / ((v / (1 - 0.999**step)).sqrt() + 1e-8), m, v


# counts the steps from 0: the first one divides zero by zero
def wrong_fifth_step_before(parameter, gradient, mean, square, step, learning_rate, weight_decay):
    one = torch.ones((), dtype=mean.dtype)
    m, v = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
    m_hat, v_hat = m / (1 - (0.9 * one) ** (step - 1)), v / (1 - (0.999 * one) ** (step - 1))
    return parameter * (1 - learning_rate * weight_decay) - learning_rate * m_hat / (v_hat.sqrt() + 1e-8), m, v


def wrong_seventh_own_step(parameter, gradient, mean, square, step, learning_rate, weight_decay, calls=[0]):
    calls[0] += 1
    t = calls[0]
    m = 0.9 * mean + 0.1 * gradient
    v = 0.999 * square + 0.001 * gradient**2
    return (1 - learning_rate * weight_decay) * parameter - learning_rate * (m / (1 - 0.9**t)) / (
        (v / (1 - 0.999**t)).sqrt() + 1e-8
    ), m, v
