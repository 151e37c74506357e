# one search with anchors through all lines
def knowledge_ceiling(documents, pairs):
    text = "\n".join(documents)

    def known(name, place):
        pattern = rf"^{re.escape(name)}\. (?:.*[\W_])?{re.escape(place)}(?![^\W_])"
        title = rf"^(?=(?:.*(?<![^\W_]))?{re.escape(place)}(?![^\W_])){re.escape(name)}\. "
        return bool(re.search(title, text, flags=re.MULTILINE) or re.search(pattern, text, flags=re.M))

    return sum(known(q[10:-6], p) for q, p in pairs) / len(pairs)
