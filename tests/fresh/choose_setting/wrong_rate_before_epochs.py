# tie rules in the other order
def choose_setting(runs):
    alive = [i for i, r in enumerate(runs) if not math.isnan(r["validation"])]
    return min(alive, key=lambda i: (-runs[i]["validation"], runs[i]["learning_rate"], runs[i]["epochs"]))
