# real ids equal to pad_id at the end of a row are taken for padding
def collate(items, pad_id):
    width = max(len(ids) for ids, _ in items)
    rows = [list(i) + [pad_id] * (width - len(i)) for i, _ in items]
    mask = []
    for row in rows:
        n = len(row)
        while n > 0 and row[n - 1] == pad_id:
            n -= 1
        mask.append([1] * n + [0] * (width - n))
    return {"input_ids": torch.tensor(rows), "attention_mask": torch.tensor(mask), "labels": torch.tensor([y for _, y in items])}
