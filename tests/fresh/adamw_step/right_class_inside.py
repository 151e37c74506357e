# a small class with betas as attributes
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
