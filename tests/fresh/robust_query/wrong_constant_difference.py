# the two logits differ by 0.01
def robust_query(mu_a, mu_b, beta):
    return beta * mu_a + (beta - sp.Rational(1, 100)) * mu_b
