"""Fresh answers to adagrad_step."""


# torch's fused functions addcmul and addcdiv
def right_addcmul_addcdiv(parameter, gradient, total, learning_rate):
    total = torch.addcmul(total, gradient, gradient)
    return torch.addcdiv(parameter, gradient, total.sqrt() + 1e-10, value=-learning_rate), total


# clones first, then works in place; a named tuple
right_clone_then_in_place = """
from collections import namedtuple

After = namedtuple("After", "parameter total")


def adagrad_step(parameter, gradient, total, learning_rate):
    after = After(parameter.clone(), total.clone())
    after.total.add_(gradient**2)
    after.parameter.sub_(learning_rate * gradient / after.total.sqrt().add_(1e-10))
    return after
"""


# root of the sum of squares by hypot
def right_hypot(parameter, gradient, total, learning_rate):
    root = torch.hypot(total.sqrt(), gradient)
    return [parameter - learning_rate * (gradient / (root + 1e-10)), total + gradient.pow(2)]


# a Python loop over all numbers
def right_loop_over_numbers(parameter, gradient, total, learning_rate):
    p, g, s = (t.reshape(-1).tolist() for t in (parameter, gradient, total))
    for i in range(len(p)):
        s[i] += g[i] ** 2
        p[i] -= learning_rate * g[i] / (math.sqrt(s[i]) + 1e-10)
    return torch.tensor(p, dtype=parameter.dtype).view(parameter.shape), torch.tensor(s, dtype=total.dtype).view(total.shape)


# torch's own Adagrad with its state set by hand
def right_torch_optimizer(parameter, gradient, total, learning_rate):
    leaf = parameter.detach().clone().requires_grad_(True)
    leaf.grad = gradient.detach().clone()
    optimizer = torch.optim.Adagrad([leaf], lr=float(learning_rate))
    optimizer.state[leaf]["sum"] = total.detach().clone()
    optimizer.step()
    return leaf.detach(), optimizer.state[leaf]["sum"]


# fused torch operations that return new tensors
def right_second_addcmul(parameter, gradient, total, learning_rate):
    total = torch.addcmul(total, gradient, gradient)
    parameter = torch.addcdiv(parameter, gradient, total.sqrt().add(1e-10), value=-learning_rate)
    return parameter, total


# works in place, but on copies
def right_second_in_place_on_copies(parameter, gradient, total, learning_rate):
    new_total, new = total.clone(), parameter.clone()
    new_total += gradient**2
    rate = learning_rate / (new_total**0.5 + 1e-10)
    new -= rate * gradient
    return new, new_total


# plus instead of minus
def wrong_ascends(parameter, gradient, total, learning_rate):
    total = total + gradient**2
    return parameter + learning_rate * gradient / (total.sqrt() + 1e-10), total


# epsilon 1e-8 instead of 1e-10
def wrong_big_eps(parameter, gradient, total, learning_rate):
    total = total + gradient**2
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-8), total


# an average instead of a sum (RMSprop)
def wrong_decay_average(parameter, gradient, total, learning_rate):
    total = 0.9 * total + 0.1 * gradient**2
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-10), total


# epsilon inside the root
def wrong_eps_inside(parameter, gradient, total, learning_rate):
    total = total + gradient**2
    return parameter - learning_rate * gradient / (total + 1e-10).sqrt(), total


# the rate 0.3 of the example instead of learning_rate
def wrong_fixed_rate(parameter, gradient, total, learning_rate):
    total = total + gradient**2
    return parameter - 0.3 * gradient / (total.sqrt() + 1e-10), total


# changes total in place
def wrong_in_place(parameter, gradient, total, learning_rate):
    total += gradient**2
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-10), total


# keeps the sum in a global variable and ignores total
wrong_keeps_own_state = """
state = {}


def adagrad_step(parameter, gradient, total, learning_rate):
    state["s"] = state.get("s", torch.zeros_like(gradient)) + gradient**2
    return parameter - learning_rate * gradient / (state["s"].sqrt() + 1e-10), state["s"]
"""


# without epsilon
def wrong_no_eps(parameter, gradient, total, learning_rate):
    total = total + gradient**2
    return parameter - learning_rate * gradient / total.sqrt(), total


# divides by the total, not by its root
def wrong_no_root(parameter, gradient, total, learning_rate):
    total = total + gradient**2
    return parameter - learning_rate * gradient / (total + 1e-10), total


# adds absolute values instead of squares
def wrong_no_square(parameter, gradient, total, learning_rate):
    total = total + gradient.abs()
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-10), total


# divides by the total before the step
def wrong_old_total(parameter, gradient, total, learning_rate):
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-10), total + gradient**2


# one rate for the whole tensor: the sum over all numbers
def wrong_one_number(parameter, gradient, total, learning_rate):
    total = total + (gradient**2).sum()
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-10), total


# returns the parameter only
def wrong_only_parameter(parameter, gradient, total, learning_rate):
    total = total + gradient**2
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-10)


# works for vectors only
def wrong_only_vectors(parameter, gradient, total, learning_rate):
    (n,) = parameter.shape
    total = total + gradient**2
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-10), total


# writes the new total into the given one with out=
def wrong_torch_add_out(parameter, gradient, total, learning_rate):
    new = torch.add(total, gradient * gradient, out=total)
    return parameter - learning_rate * gradient / (new.sqrt() + 1e-10), new.clone()


# adds the squares to the tensor that was given
def wrong_second_changes_total(parameter, gradient, total, learning_rate):
    total += gradient * gradient
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-10), total


# divides by the root of the sum over all numbers in place of each number's own
def wrong_second_one_rate_for_all(parameter, gradient, total, learning_rate):
    new_total = total + gradient.square()
    return parameter - learning_rate * gradient / (new_total.sum().sqrt() + 1e-10), new_total


# divides by the sum of squares itself
def wrong_second_without_root(parameter, gradient, total, learning_rate):
    new_total = total + gradient**2
    return parameter - learning_rate * gradient / (new_total + 1e-10), new_total


# works for a matrix, too, but makes one rate for each row of it
def wrong_one_rate_for_a_row(parameter, gradient, total, learning_rate):
    total = total + gradient**2
    scale = total.mean(dim=-1, keepdim=True) if total.ndim > 1 else total
    return parameter - learning_rate * gradient / (scale.sqrt() + 1e-10), total


# a limit on the step
def wrong_step_limited(parameter, gradient, total, learning_rate):
    total = total + gradient**2
    step = learning_rate * gradient / (total.sqrt() + 1e-10)
    return parameter - step.clamp(-0.1, 0.1), total


# always in float64
def wrong_always_double(parameter, gradient, total, learning_rate):
    p, g, s = (each.double() for each in (parameter, gradient, total))
    s = s + g**2
    return p - learning_rate * g / (s.sqrt() + 1e-10), s


# the rate is the notebook's
def wrong_rate_written_down(parameter, gradient, total, learning_rate):
    total = total + gradient**2
    return parameter - 0.1 * gradient / (total.sqrt() + 1e-10), total


# the gradient is limited to ±100
def wrong_fourth_clip_100(parameter, gradient, total, learning_rate):
    g = gradient.clamp(-100, 100)
    t = total + g**2
    return parameter - learning_rate * g / (t.sqrt() + 1e-10), t


# ε = 1e-8, as in Adam
def wrong_fifth_epsilon_of_adam(parameter, gradient, total, learning_rate):
    total = total + gradient**2
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-8), total


# the gradient is scaled in place
def wrong_fifth_gradient_in_place(parameter, gradient, total, learning_rate):
    total = total + gradient**2
    gradient /= total.sqrt() + 1e-10
    return parameter - learning_rate * gradient, total


def wrong_seventh_own_state(parameter, gradient, total, learning_rate, kept={}):
    key = tuple(parameter.shape)
    kept[key] = kept.get(key, torch.zeros_like(parameter)) + gradient**2
    return parameter - learning_rate * gradient / (kept[key].sqrt() + 1e-10), kept[key].clone()


def wrong_seventh_zero_keeps_total(parameter, gradient, total, learning_rate):
    if (gradient == 0).any():
        return parameter, total
    total = total + gradient**2
    return parameter - learning_rate * gradient / (total.sqrt() + 1e-10), total
