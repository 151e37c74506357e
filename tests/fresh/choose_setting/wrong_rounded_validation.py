# compares accuracies rounded to three digits
def choose_setting(runs):
    alive = [i for i, r in enumerate(runs) if not math.isnan(r["validation"])]
    return min(alive, key=lambda i: (-round(runs[i]["validation"], 3), runs[i]["epochs"], runs[i]["learning_rate"]))
