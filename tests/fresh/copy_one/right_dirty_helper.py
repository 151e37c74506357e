# uses functions that an earlier cell of the notebook imported
def copy_one(keys, j, beta):
    q = beta * keys[j]
    assert len(attention_weights(keys, q)) == len(keys)
    return q
