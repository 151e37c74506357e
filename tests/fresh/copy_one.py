"""Fresh answers to copy_one."""


# all other logits go down, at different rates, and logit j stays at 0
def right_all_others_down(keys, j, beta):
    q = sp.zeros(keys[0].rows, 1)
    for i, key in enumerate(keys):
        if i != j:
            q -= (i + 1) * beta * key
    return q


# uses functions that an earlier cell of the notebook imported
def right_dirty_helper(keys, j, beta):
    q = beta * keys[j]
    assert len(attention_weights(keys, q)) == len(keys)
    return q


# a Python list of entries, made a Matrix at the end
def right_entrywise_list(keys, j, beta):
    return sp.Matrix([beta ** 2 * x + 3 * x for x in keys[j]])


# an immutable matrix with decimal factors
def right_immutable_decimals(keys, j, beta):
    return sp.ImmutableMatrix(0.5 * beta * keys[j])


# grows only like log(1 + beta), in the plain key direction
def right_log_growth(keys, j, beta):
    return sp.log(1 + beta) * keys[j]


# the matrix of keys times a vector of logits
def right_matrix_product(keys, j, beta):
    logits = sp.Matrix([beta if i == j else -beta for i in range(len(keys))])
    return sp.Matrix.hstack(*keys) * logits


# a bounded oscillation beside the growing lead
def right_quick_lead(keys, j, beta):
    return (beta + sp.sin(beta)) * keys[j]


# all keys get beta, key j gets 2 beta
def right_sum_plus_lead(keys, j, beta):
    return beta * sum(keys, sp.zeros(*keys[0].shape)) + beta * keys[j]


# the logit grows only like log(1 + beta), which still has no bound
def right_second_log_growth(keys, j, beta):
    scale = sp.log(1 + beta)
    return sp.Matrix([scale * entry for entry in keys[j]])


# the scale starts far below 0, and every other key is pushed down in a loop on a copy
def right_second_offset_and_push(keys, j, beta):
    q = sp.Matrix(keys[j]).copy()
    q *= beta - 50
    for i, key in enumerate(keys):
        if i == j:
            continue
        q = q - beta * key
    return q


# a unit vector in place of the key
def wrong_basis_vector(keys, j, beta):
    q = sp.zeros(len(keys[0]), 1)
    q[j] = beta
    return q


# the lead grows, but only towards 1000
def wrong_bounded(keys, j, beta):
    return 1000 * beta / (beta + 1) * keys[j]


# subtracts the other keys from the list in place
def wrong_in_place(keys, j, beta):
    for i, key in enumerate(keys):
        if i != j:
            keys[j] = keys[j] - key
    keys[j] *= beta
    return keys[j]


# a large number in place of beta
def wrong_large_number(keys, j, beta):
    return 10**9 * keys[j]


# counts from 1
def wrong_next_key(keys, j, beta):
    return beta * keys[j - 1]


# returns the weights of the query and not the query
def wrong_output(keys, j, beta):
    logits = [key.dot(beta * keys[j]) for key in keys]
    total = sum(sp.exp(x) for x in logits)
    return sp.Matrix([sp.exp(x) / total for x in logits])


# makes a symbol of its own, without assumptions
def wrong_own_symbol(keys, j, beta):
    b = sp.Symbol("beta")
    return b * keys[j]


# returns a row
def wrong_row(keys, j, beta):
    return (beta * keys[j]).T


# right with probability 0.9
def wrong_sometimes(keys, j, beta):
    return (1 if random.random() < 0.9 else -1) * beta * keys[j]


# subtracts the first three keys only from a sum of all, so a fourth keeps up
def wrong_three_keys(keys, j, beta):
    q = beta * sum(keys, sp.zeros(len(keys[0]), 1))
    for i in range(min(3, len(keys))):
        if i != j:
            q -= beta * keys[i]
    return q


# counts the keys from 1, so it takes the key before
def wrong_second_counts_from_one(keys, j, beta):
    return beta * keys[j - 1]


# the last key gets as much, if there are more than three
def wrong_second_equal(keys, j, beta):
    q = beta * keys[j]
    if len(keys) > 3 and j != len(keys) - 1:
        q += beta * keys[-1]
    return q


# the scale tends to 30, so the weight stays just below 1
def wrong_second_saturates(keys, j, beta):
    return 30 * beta / (1 + beta) * keys[j]


# puts beta into entry j, which is right for the standard basis only
def wrong_second_standard_basis(keys, j, beta):
    q = sp.zeros(keys[0].rows, 1)
    q[j] = beta
    return q


# makes a symbol of its own that equals the usual one, and ignores the argument
def wrong_fourth_own_symbol(keys, j, beta):
    b = sp.Symbol("beta", positive=True)
    return b * keys[j]


# lowers the first five keys only
def wrong_fourth_first_five(keys, j, beta):
    q = sp.zeros(*keys[0].shape)
    for i, k in enumerate(keys[:5]):
        if i != j: q -= beta * k
    return q


# the lead comes back to 0 again and again
def wrong_fourth_swings(keys, j, beta):
    return beta*sp.sin(beta)**2 * keys[j]


# the signs of the key
def wrong_fourth_signs(keys, j, beta):
    return beta * keys[j].applyfunc(sp.sign)


# 0 up to 1, then beta
def right_fourth_cases(keys, j, beta):
    return sp.Piecewise((0, beta < 1), (beta, True))*keys[j]


# a product of matrices that is not carried out
def right_fourth_product_not_carried_out(keys, j, beta):
    return sp.MatMul(keys[j], sp.Matrix([[beta]]))


# entries of the key for as many places as there are keys
def wrong_fifth_cut_key(keys, j, beta):
    q = sp.zeros(keys[0].rows, 1)
    for i in range(len(keys)):
        q[i] = beta * keys[j][i]
    return q


# right only for j > 0
def wrong_seventh_times_j(keys, j, beta):
    return j * beta * keys[j]
