# numpy's solver
import numpy as np

def select_first(K):
    A = K.numpy()
    return torch.from_numpy(np.linalg.solve(A[:1] - A[1:], np.array([9.0, 9.0, 9.0])))
