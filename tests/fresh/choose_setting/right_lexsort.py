# numpy lexsort with nan as minus infinity
def choose_setting(runs):
    v = np.nan_to_num([r["validation"] for r in runs], nan=-np.inf)
    order = np.lexsort(([r["learning_rate"] for r in runs], [r["epochs"] for r in runs], -v))
    return order[0]
