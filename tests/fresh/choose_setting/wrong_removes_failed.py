# removes failed runs from the given list and finds the place by counting what was removed
def choose_setting(runs):
    numbered = list(enumerate(runs))
    for i, r in reversed(numbered):
        if math.isnan(r["validation"]):
            del runs[i]
    alive = [(i, r) for i, r in numbered if not math.isnan(r["validation"])]
    return min(alive, key=lambda p: (-p[1]["validation"], p[1]["epochs"], p[1]["learning_rate"]))[0]
