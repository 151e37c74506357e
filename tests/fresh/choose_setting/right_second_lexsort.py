# numpy's lexsort, the failed runs get minus infinity
def choose_setting(runs):
    score = np.array([run["validation"] for run in runs], dtype=float)
    score = np.where(np.isnan(score), -np.inf, score)
    keys = ([run["learning_rate"] for run in runs], [run["epochs"] for run in runs], -score)
    return int(np.lexsort(keys)[0])
