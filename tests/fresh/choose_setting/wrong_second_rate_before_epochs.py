# among equal ones the smallest rate first, and only then the fewest epochs
def choose_setting(runs):
    alive = [i for i, run in enumerate(runs) if run["validation"] == run["validation"]]
    return min(alive, key=lambda i: (-runs[i]["validation"], runs[i]["learning_rate"], runs[i]["epochs"]))
