# writes a rank into the given dicts
def choose_setting(runs):
    for r in runs:
        r["key"] = (math.isnan(r["validation"]), -r["validation"], r["epochs"], r["learning_rate"])
    return min(range(len(runs)), key=lambda i: runs[i]["key"])
