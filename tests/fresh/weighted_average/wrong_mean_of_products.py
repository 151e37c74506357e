# multiplies, but then takes the mean
def weighted_average(values, weights):
    return (values * weights[:, None]).mean(dim=0)
