# The standard deviation takes the mean off.
def reweight_heads(heads):
    spread = heads.std(dim=(2, 3), keepdim=True)
    return heads * spread / spread.mean(dim=1, keepdim=True)
