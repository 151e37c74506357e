# sorts the items by length in place
def collate(items, pad_id):
    items.sort(key=lambda item: len(item[0]), reverse=True)
    width = len(items[0][0])
    ids = torch.tensor([list(i) + [pad_id] * (width - len(i)) for i, _ in items])
    mask = torch.tensor([[1] * len(i) + [0] * (width - len(i)) for i, _ in items])
    return {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([y for _, y in items])}
