# an immutable, unevaluated-looking form with a decimal
def robust_query(mu_a, mu_b, beta):
    return (2.5 * sp.sqrt(beta) * (mu_a + mu_b)).as_immutable()
