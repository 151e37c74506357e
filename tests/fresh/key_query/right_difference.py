# a single row: animal has a positive query, it a negative one
def key_query(u_a, u_b, u_c, u_d, beta):
    return (u_d - u_a).T, (u_c - u_d).T
