# negative entries of q are set to 0 where a positive one exists
def rekey_unit_select(K, q):
    key = q.clamp(min=0)
    return key / key.norm()
