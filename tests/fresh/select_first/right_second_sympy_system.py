# solves the three equations for the leads with sympy and converts back
def select_first(K):
    rows = K.tolist()
    leads = sp.Matrix([[x - y for x, y in zip(rows[0], row)] for row in rows[1:]])
    solution = leads.inv() * sp.Matrix([15, 15, 15])
    return torch.tensor([float(x) for x in solution], dtype=torch.float64)
