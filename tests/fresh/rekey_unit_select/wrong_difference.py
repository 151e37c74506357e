# mixes key 0 with others, and is right by luck where q is long
def rekey_unit_select(K, q):
    key = q / q.norm() - (K[0] + K[1]) / 2
    return key / key.norm()
