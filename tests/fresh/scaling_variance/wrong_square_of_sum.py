# (s + m)² for s² + m².
def scaling_variance(d, s, m):
    return d * (s + m) ** 2, sp.sqrt(d) * (s + m)
