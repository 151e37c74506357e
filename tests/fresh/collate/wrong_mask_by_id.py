# the mask is where the id is not pad_id
def collate(items, pad_id):
    width = max(len(ids) for ids, _ in items)
    ids = torch.tensor([list(i) + [pad_id] * (width - len(i)) for i, _ in items])
    return {"input_ids": ids, "attention_mask": (ids != pad_id).long(), "labels": torch.tensor([y for _, y in items])}
