"""Reads a page of the report: its tags, links and text."""

from __future__ import annotations

from html.parser import HTMLParser

BLOCKS = {
    "br",
    "dd",
    "div",
    "details",
    "h1",
    "h2",
    "h3",
    "li",
    "p",
    "pre",
    "summary",
    "table",
    "td",
    "th",
    "title",
}
VOID = {"meta", "br", "rect", "line", "path", "img", "input"}


class Reader(HTMLParser):
    """Every tag and attribute of a page, and its text; fails where a tag is not closed."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.words, self.links, self.open = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.words += [" "] if tag in BLOCKS else []
        assert not any(name.startswith("on") for name, _ in attrs)
        self.links += [value for name, value in attrs if name in ("href", "src")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        self.words += [" "] if tag in BLOCKS else []
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] not in (["style"], ["script"]):
            self.words.append(data)

    @property
    def text(self):
        return " ".join("".join(self.words).split())
