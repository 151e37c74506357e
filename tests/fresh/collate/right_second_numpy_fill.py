# numpy arrays that are filled row by row and turned into tensors at the end
def collate(items, pad_id=0):
    widest = 0
    for ids, _ in items:
        widest = max(widest, len(ids))
    ids_table = np.full((len(items), widest), pad_id, dtype=np.int64)
    mask = np.zeros_like(ids_table)
    for i, (ids, _) in enumerate(items):
        ids_table[i, : len(ids)] = ids
        mask[i, : len(ids)] = 1
    labels = np.fromiter((label for _, label in items), dtype=np.int64)
    parts = {"labels": labels, "attention_mask": mask, "input_ids": ids_table}
    return {name: torch.from_numpy(array) for name, array in parts.items()}
