# a loop that keeps the best so far; nan loses every comparison
def choose_setting(runs):
    chosen = -1
    for i, run in enumerate(runs):
        if run["validation"] != run["validation"]:
            continue
        if chosen < 0:
            chosen = i
            continue
        other = runs[chosen]
        if run["validation"] > other["validation"] or (
            run["validation"] == other["validation"]
            and (run["epochs"], run["learning_rate"]) < (other["epochs"], other["learning_rate"])
        ):
            chosen = i
    return chosen
