# the formula for a product with all four moments, in a list
def scaling_variance(d, s, m):
    def variance_of_product(mean_x, var_x, mean_y, var_y):
        return (var_x + mean_x**2) * (var_y + mean_y**2) - (mean_x * mean_y) ** 2

    total = d * variance_of_product(0, 1, m, s**2)
    return [total, total ** sp.Rational(1, 2)]
