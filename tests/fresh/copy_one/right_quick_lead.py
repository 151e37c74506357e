# a bounded oscillation beside the growing lead
def copy_one(keys, j, beta):
    return (beta + sp.sin(beta)) * keys[j]
