# keeps the remaining candidates in three rounds
def choose_setting(runs):
    left = [i for i, run in enumerate(runs) if not math.isnan(run["validation"])]
    for best, name in ((max, "validation"), (min, "epochs"), (min, "learning_rate")):
        wanted = best(runs[i][name] for i in left)
        left = [i for i in left if runs[i][name] == wanted]
    return left[0]
