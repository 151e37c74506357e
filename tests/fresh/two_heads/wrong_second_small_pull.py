# head 1 has a tenth of a in its query, so it fails for lengths above ten
def two_heads(mu_a, mu_b, beta):
    return beta * mu_a, beta * (mu_b + mu_a / 10)
