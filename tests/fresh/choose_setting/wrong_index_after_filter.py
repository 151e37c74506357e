# the index in the filtered list
def choose_setting(runs):
    alive = [r for r in runs if not math.isnan(r["validation"])]
    return min(range(len(alive)), key=lambda i: (-alive[i]["validation"], alive[i]["epochs"], alive[i]["learning_rate"]))
