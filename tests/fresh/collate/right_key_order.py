# the labels first, and pads a copy of each list with while
def collate(items, pad_id):
    items = copy.deepcopy(items)
    longest = max(map(len, (ids for ids, _ in items)))
    masks = []
    for ids, _ in items:
        mask = [1] * len(ids)
        while len(ids) < longest:
            ids.append(pad_id)
            mask.append(0)
        masks.append(mask)
    return {"labels": torch.tensor([y for _, y in items]), "attention_mask": torch.tensor(masks), "input_ids": torch.tensor([i for i, _ in items])}
