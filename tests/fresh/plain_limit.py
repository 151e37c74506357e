"""Fresh answers to plain_limit."""


# computes the logits at a large beta and returns the token with the largest one
def right_by_logits(u_a, u_b, u_c, u_d):
    tokens = [u_d + u_b, u_a, u_c + u_b]
    logits = [x.dot(tokens[1]).subs(beta, 10) for x in tokens]
    return tokens[logits.index(max(logits))]


# a new column made of the entries
def right_entrywise(u_a, u_b, u_c, u_d):
    return sp.Matrix(len(u_a), 1, list(u_a))


# half of twice u_a
def right_half_sum(u_a, u_b, u_c, u_d):
    return (u_a + u_a) / 2


# a product of the table of features with a unit vector
def right_hstack(u_a, u_b, u_c, u_d):
    return sp.Matrix.hstack(u_a, u_b, u_c, u_d) * sp.Matrix([1.0, 0, 0, 0])


# an immutable copy
def right_immutable(u_a, u_b, u_c, u_d):
    return sp.ImmutableMatrix(u_a)


# a combination with zeros
def right_linear_combination(u_a, u_b, u_c, u_d):
    return sum((c * u for c, u in zip((1, 0, 0, 0), (u_a, u_b, u_c, u_d))), sp.zeros(*u_a.shape))


# computes the three logits and returns the token that leads
def right_second_argmax_of_logits(u_a, u_b, u_c, u_d):
    tokens = [u_d + u_b, u_a, u_c + u_b]
    unit = u_a.dot(u_a)
    logits = [sp.simplify(x.dot(tokens[1]) / unit) for x in tokens]
    leader = max(range(3), key=lambda i: logits[i])
    return tokens[leader]


# the features side by side, times a column of coefficients
def right_second_coefficients_times_features(u_a, u_b, u_c, u_d):
    coefficients = sp.Matrix([1, 0, 0, 0])
    return sp.Matrix.hstack(u_a, u_b, u_c, u_d) * coefficients


# copies animal
def wrong_animal(u_a, u_b, u_c, u_d):
    return u_d + u_b


# the average of the three tokens
def wrong_average(u_a, u_b, u_c, u_d):
    return ((u_d + u_b) + u_a + (u_c + u_b)) / 3


# beta times the first unit vector
def wrong_basis(u_a, u_b, u_c, u_d):
    return beta * sp.eye(len(u_a))[:, 0]


# u_a plus a fixed small part
def wrong_constant_part(u_a, u_b, u_c, u_d):
    return u_a + u_b / 1000


# divides by beta
def wrong_direction(u_a, u_b, u_c, u_d):
    return u_a / beta


# puts beta = 1
def wrong_ones_beta_one(u_a, u_b, u_c, u_d):
    return u_a.subs(beta, 1)


# the output itself, with its weights, and not its limit
def wrong_output(u_a, u_b, u_c, u_d):
    one = sp.eye(len(u_a))
    return self_attention([u_d + u_b, u_a, u_c + u_b], one, one, one)[1]


# a row
def wrong_row(u_a, u_b, u_c, u_d):
    return u_a.T


# u_a plus a part that dies out
def wrong_tends_to(u_a, u_b, u_c, u_d):
    return u_a + sp.exp(-beta) * u_b


# the mean of the three tokens, as for the zero query
def wrong_second_mean_of_tokens(u_a, u_b, u_c, u_d):
    x_0, x_1, x_2 = u_d + u_b, u_a, u_c + u_b
    return (x_0 + x_1 + x_2) / 3


# a fixed column: right for the standard basis in four dimensions only
def wrong_second_standard_basis(u_a, u_b, u_c, u_d):
    return sp.Matrix([beta, 0, 0, 0])


# divides by the length, so the result does not grow with beta
def wrong_second_unit_length(u_a, u_b, u_c, u_d):
    return u_a / u_a.norm()


# six entries at most
def wrong_fourth_six_entries(u_a, u_b, u_c, u_d):
    q = sp.zeros(*u_a.shape)
    for i in range(min(6, len(q))): q[i] = u_a[i]
    return q


# decimals of five digits
def wrong_fourth_five_digits(u_a, u_b, u_c, u_d):
    return u_a.evalf(5)


# a sum of matrices that is not carried out
def right_fourth_sum_not_carried_out(u_a, u_b, u_c, u_d):
    return sp.MatAdd(u_a, 0*u_b)


# a decimal number that is nearly 1
def wrong_fifth_nearly(u_a, u_b, u_c, u_d):
    return 0.99999 * u_a


# the value at beta = 100
def wrong_seventh_at_100(u_a, u_b, u_c, u_d):
    return u_a.subs(next(iter(u_a.free_symbols)), 100)


# the vector of the standard basis, whatever the arguments are
def wrong_seventh_standard(u_a, u_b, u_c, u_d):
    from kqa_core.symbolic import BETA, standard_basis

    return BETA * standard_basis(4)[0]
