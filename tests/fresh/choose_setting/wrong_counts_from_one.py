# counts from 1
def choose_setting(runs):
    alive = [i for i, r in enumerate(runs) if not math.isnan(r["validation"])]
    return 1 + min(alive, key=lambda i: (-runs[i]["validation"], runs[i]["epochs"], runs[i]["learning_rate"]))
