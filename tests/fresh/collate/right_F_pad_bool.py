# F.pad row by row, a bool mask from the lengths
def collate(items, pad_id):
    lengths = torch.tensor([len(ids) for ids, _ in items])
    width = int(lengths.max())
    ids = torch.stack([F.pad(torch.tensor(ids), (0, width - len(ids)), value=pad_id) for ids, _ in items])
    return dict(input_ids=ids, attention_mask=torch.arange(width)[None] < lengths[:, None], labels=torch.LongTensor([y for _, y in items]))
