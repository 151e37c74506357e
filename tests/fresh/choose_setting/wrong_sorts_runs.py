# sorts the given list
def choose_setting(runs):
    first = list(runs)
    runs.sort(key=lambda r: (math.isnan(r["validation"]), -r["validation"], r["epochs"], r["learning_rate"]))
    return first.index(runs[0])
