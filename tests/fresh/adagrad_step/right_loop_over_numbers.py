# a Python loop over all numbers
def adagrad_step(parameter, gradient, total, learning_rate):
    p, g, s = (t.reshape(-1).tolist() for t in (parameter, gradient, total))
    for i in range(len(p)):
        s[i] += g[i] ** 2
        p[i] -= learning_rate * g[i] / (math.sqrt(s[i]) + 1e-10)
    return torch.tensor(p, dtype=parameter.dtype).view(parameter.shape), torch.tensor(s, dtype=total.dtype).view(total.shape)
