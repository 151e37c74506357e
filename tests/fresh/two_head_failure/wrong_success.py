# the probability of success
def two_head_failure():
    return (1 + sp.erf(1)) / 2
