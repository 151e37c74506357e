# largest minus smallest entry of each column, expanded
def linformer_leaks(E, F):
    varies = lambda M: M.amax(0) != M.amin(0)
    column = F.ne(0).any(0) | (varies(E) & varies(F).any())
    return column.expand(len(column), -1)
