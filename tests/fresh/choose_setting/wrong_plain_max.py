# max with nan present
def choose_setting(runs):
    return max(range(len(runs)), key=lambda i: (runs[i]["validation"], -runs[i]["epochs"], -runs[i]["learning_rate"]))
