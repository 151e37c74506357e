# the direction of q by its two angles
def rekey_unit_select(K, q):
    around = torch.atan2(q[1], q[0])
    up = torch.atan2(q[2], torch.hypot(q[0], q[1]))
    return torch.stack([up.cos() * around.cos(), up.cos() * around.sin(), up.sin()])
