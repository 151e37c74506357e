# numpy arrays, then from_numpy
def collate(items, pad_id):
    width = max(len(ids) for ids, _ in items)
    ids = np.full((len(items), width), pad_id, dtype=np.int64)
    mask = np.zeros_like(ids)
    for i, (row, _) in enumerate(items):
        ids[i, : len(row)] = row
        mask[i, : len(row)] = 1
    labels = np.array([label for _, label in items], dtype=np.int64)
    return {"input_ids": torch.from_numpy(ids), "attention_mask": torch.from_numpy(mask), "labels": torch.from_numpy(labels)}
