# a crude sum in place of the integral
def two_head_failure():
    step = 1e-3
    return sum(math.exp(-((-i * step - 1) ** 2)) for i in range(10000)) * step / math.sqrt(math.pi)
