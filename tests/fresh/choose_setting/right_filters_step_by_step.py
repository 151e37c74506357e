# three filters, one after the other
def choose_setting(runs):
    left = [i for i in range(len(runs)) if not math.isnan(runs[i]["validation"])]
    for name, best in (("validation", max), ("epochs", min), ("learning_rate", min)):
        target = best(runs[i][name] for i in left)
        left = [i for i in left if runs[i][name] == target]
    return left[0]
