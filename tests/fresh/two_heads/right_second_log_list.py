# a list, one head grows like a logarithm, the other like an exponential
def two_heads(mu_a, mu_b, beta):
    scales = (sp.log(1 + beta), sp.exp(beta))
    return [scale * mu for scale, mu in zip(scales, (mu_a, mu_b))]
