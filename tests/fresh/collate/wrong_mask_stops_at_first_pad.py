# the length of a row is where pad_id first occurs
def collate(items, pad_id):
    width = max(len(ids) for ids, _ in items)
    rows = [list(i) + [pad_id] * (width - len(i)) for i, _ in items]
    ends = [row.index(pad_id) if pad_id in row else width for row in rows]
    mask = torch.arange(width) < torch.tensor(ends)[:, None]
    return {"input_ids": torch.tensor(rows), "attention_mask": mask, "labels": torch.tensor([y for _, y in items])}
