# filters the failed runs first and returns the place in the filtered list
def choose_setting(runs):
    alive = [run for run in runs if not math.isnan(run["validation"])]
    best = min(alive, key=lambda run: (-run["validation"], run["epochs"], run["learning_rate"]))
    return alive.index(best)
