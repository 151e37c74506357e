# divides by sigma, a symbol of its own
def robust_query(mu_a, mu_b, beta):
    sigma = sp.Symbol("sigma", positive=True)
    return beta / sigma * (mu_a + mu_b)
