# numpy, and back to torch at the end
import numpy as np


def linformer_leaks(E, F):
    e, f = E.detach().cpu().numpy(), F.detach().cpu().numpy()
    keys = (np.ptp(e, axis=0) != 0) & np.any(f != f[:1])
    return torch.from_numpy(np.tile(np.any(f != 0, axis=0) | keys, (e.shape[1], 1)))
