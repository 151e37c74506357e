# sorts the numbers by three keys, nan sent to the end
def choose_setting(runs):
    def key(i):
        v = runs[i]["validation"]
        return (math.isnan(v), -v if v == v else 0, runs[i]["epochs"], runs[i]["learning_rate"])

    return sorted(range(len(runs)), key=key)[0]
