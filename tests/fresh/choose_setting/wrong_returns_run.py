# returns the run itself
def choose_setting(runs):
    alive = [r for r in runs if not math.isnan(r["validation"])]
    return min(alive, key=lambda r: (-r["validation"], r["epochs"], r["learning_rate"]))
