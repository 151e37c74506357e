"""Fresh answers to rekey_average_three."""


# a multiple of the query with the right dot product
def right_along_query(K, q):
    return q * (K[0] @ q) / (q @ q)


# the key of row 1, cloned
def right_copy_row(K, q):
    return K[1].clone()


# a point far out on the line through both keys
def right_extrapolated(K, q):
    return 5 * K[0] - 4 * K[1]


# the mean of the first two keys
def right_midpoint(K, q):
    return K[:2].mean(dim=0)


# one entry only, chosen where q is largest
def right_one_entry(K, q):
    i = int(q.abs().argmax())
    key = torch.zeros(3, dtype=torch.float64)
    key[i] = float(K[0] @ q) / float(q[i])
    return key


# moves the old key along q
def right_repair_old(K, q):
    lead = K[0].dot(q) - K[2].dot(q)
    return K[2] + lead * q / q.norm() ** 2


# a view of the keys themselves
def right_view(K, q):
    return K[0]


# a key along q itself, as long as the logit of key 0 demands
def right_second_along_q(K, q):
    logit = float(K[0] @ q)
    return torch.stack([x * logit for x in q]) / torch.sum(q**2)


# key 0 plus a vector that is perpendicular to q
def right_second_perpendicular_shift(K, q):
    sideways = torch.linalg.cross(q, K[1])
    return K[0] + sideways / (1 + sideways.norm())


# writes the new key into K and returns it
def wrong_changes_K(K, q):
    K[2] = K[1]
    return K[2]


# changes the first entry only, and divides by the wrong entry of q
def wrong_first_entry(K, q):
    key = K[2].clone()
    key[0] += (K[0] @ q - K[2] @ q) / q[1]
    return key


# the mean of the other three keys
def wrong_mean_of_rest(K, q):
    return (K[0] + K[1] + K[3]) / 3


# the query itself
def wrong_query(K, q):
    return q / q.norm()


# rounds the key to one decimal
def wrong_rounded(K, q):
    return torch.round(q * (K[0] @ q) / (q @ q), decimals=1)


# the sum of the two keys
def wrong_sum(K, q):
    return K[0] + K[1]


# numbers worked out for the K of the notebook
def wrong_this_K(K, q):
    return torch.tensor([-0.1, 0.6, 0.2], dtype=torch.float64)


# a logit a little too low: 0.32
def wrong_two_percent(K, q):
    return K[0] - 0.07 * q / (q @ q)


# returns the whole table
def wrong_whole_table(K, q):
    changed = K.clone()
    changed[2] = K[0]
    return changed


# half way from the old key 2 to key 0
def wrong_second_half_way(K, q):
    return (K[2] + K[0]) / 2


# divides by the length of q instead of its square
def wrong_second_norm_not_squared(K, q):
    return q * (K[0] @ q) / q.norm()


# the sum of the first two keys, which doubles the logit
def wrong_second_sum_not_mean(K, q):
    return K[0] + K[1]


# The logit divided by the entries of q: inf for a query with a zero.
def wrong_sixth_divides_by_the_query(K, q):
    return (K[0] @ q) / (3 * q)


# the longest key
def wrong_seventh_longest(K, q):
    return K[K.norm(dim=1).argmax()]
