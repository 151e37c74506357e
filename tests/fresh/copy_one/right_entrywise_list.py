# a Python list of entries, made a Matrix at the end
def copy_one(keys, j, beta):
    return sp.Matrix([beta ** 2 * x + 3 * x for x in keys[j]])
