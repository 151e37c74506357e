# keeps the sum in a global variable and ignores total
state = {}


def adagrad_step(parameter, gradient, total, learning_rate):
    state["s"] = state.get("s", torch.zeros_like(gradient)) + gradient**2
    return parameter - learning_rate * gradient / (state["s"].sqrt() + 1e-10), state["s"]
