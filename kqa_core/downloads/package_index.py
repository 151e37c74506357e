"""Archives from the package index: found where pip would look; a broken download can continue.

- pip's configuration decides where: its indexes, folders of archives (`find-links`), proxy and certificates.
  A login comes from the index's address or from `~/.netrc`.
- Why not `pip download`: for a source archive it runs the package's setup.py, and before version 25.1 it
  starts a broken download again from zero.
- An index has a page for each project, in HTML (PEP 503) or JSON (PEP 691). A file is chosen by its name and
  accepted only by its SHA-256.
"""

from __future__ import annotations

import ast
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlsplit
from urllib.request import url2pathname

import requests

from kqa_core.downloads.catalogue import Archive
from kqa_core.errors import UserError, first_line

PYPI = "https://pypi.org/simple"
PAGE_TYPES = "application/vnd.pypi.simple.v1+json, text/html;q=0.5"
CHUNK = 2**16  # bytes; a broken connection loses less than one
SECONDS = 60.0  # a server that sends nothing for so long is given up
OPTIONS = ("index-url", "extra-index-url", "find-links", "no-index", "proxy", "cert", "client-cert")

Report = Callable[[int], None]  # is called with the number of bytes so far


def get_archive(archive: Archive, target: Path, report: Report, folder: Path | None = None) -> None:
    """Write the archive to `target`, from `folder` or else from where pip would look. A part of it that is
    already there is continued.

    Raises UserError if no place has it, and OSError if it cannot be written.
    """
    settings = {} if folder else pip_settings()
    session = _session(settings)
    places = [str(folder)] if folder else _places(settings)
    reasons = [] if places else ["no package index is configured"]
    for place in places:
        try:
            url = _find(session, place, archive)
            if url is None:
                reasons.append(f"{_host(place)} does not have {archive.file}")
                continue
            _download(session, url, target, archive, report)
            return
        except requests.RequestException as error:
            reasons.append(f"{_host(place)}: {_said(error)}")
        except _WrongFileError:
            target.unlink(missing_ok=True)
            reasons.append(f"{_host(place)}: its {archive.file} is not the expected file (SHA-256)")
    raise UserError(
        f"{'; '.join(reasons)}: give the same command again when that has changed (it continues), or get the"
        " file in another way and name its folder by --from"
    )


def pip_settings() -> dict[str, str]:
    """pip's options, by name. As in pip, environment variables come before the sections of its commands, and
    these before the global section. Without pip, only environment variables count.
    """
    command = [sys.executable, "-m", "pip", "config", "list"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        variables = {option: f"PIP_{option.upper().replace('-', '_')}" for option in OPTIONS}
        return {option: os.environ[name] for option, name in variables.items() if os.environ.get(name)}
    sections: dict[str, dict[str, str]] = {"global": {}, "install": {}, "download": {}, ":env:": {}}
    for line in done.stdout.splitlines():
        name, _, value = line.partition("=")
        section, _, option = name.rpartition(".")
        if section in sections:
            sections[section][option] = str(ast.literal_eval(value))
    return {option: value for section in sections.values() for option, value in section.items()}


def _places(settings: Mapping[str, str]) -> list[str]:
    """Folders and addresses in the order in which they are asked."""
    places = settings.get("find-links", "").split()
    if settings.get("no-index", "").lower() not in ("1", "true", "yes", "on"):
        places += [settings.get("index-url") or PYPI, *settings.get("extra-index-url", "").split()]
    return places


def _session(settings: Mapping[str, str]) -> requests.Session:
    session = requests.Session()
    if proxy := settings.get("proxy"):
        session.proxies = {"http": proxy, "https": proxy}
    if certificates := settings.get("cert"):
        session.verify = certificates
    session.cert = settings.get("client-cert")
    session.headers["Accept-Encoding"] = "identity"  # bytes are counted, and continued, as they are
    return session


def _host(place: str) -> str:
    """The place as an error names it: a login in an address is not shown."""
    return urlsplit(place).hostname or place


def _find(session: requests.Session, place: str, archive: Archive) -> str | None:
    """The path or address of the archive at a place; None if it does not have it."""
    if (folder := _folder(place)) is not None:
        candidates = [folder / archive.file, folder / archive.project / archive.file]
        return next((str(path) for path in candidates if path.is_file()), None)
    page = f"{place.rstrip('/')}/{archive.project}/"
    answer = session.get(page, headers={"Accept": PAGE_TYPES}, timeout=SECONDS)
    if answer.status_code == requests.codes.not_found:
        return None
    answer.raise_for_status()
    if "json" in answer.headers.get("Content-Type", ""):
        urls = {file["filename"]: file["url"] for file in answer.json().get("files", ())}
    else:
        parser = _Links()
        parser.feed(answer.text)
        urls = parser.urls
    return urljoin(answer.url, urls[archive.file]) if archive.file in urls else None


class _Links(HTMLParser):
    """The links of an index's page, by the name of their file."""

    def __init__(self) -> None:
        super().__init__()
        self.urls: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        url = dict(attrs).get("href") if tag == "a" else None
        if url:
            self.urls[urlsplit(url).path.rpartition("/")[2]] = url


def _folder(place: str) -> Path | None:
    """The folder that a place is; None for an address on the network."""
    address = urlsplit(place)
    if address.scheme in ("http", "https"):
        return None
    return Path(url2pathname(address.path)) if address.scheme == "file" else Path(place).expanduser()


class _WrongFileError(Exception):
    """A whole file came, and it is another one."""


def _download(session: requests.Session, url: str, target: Path, archive: Archive, report: Report) -> None:
    """Write one file and check it. Raises _WrongFileError.

    An earlier part may be the start of another file. So if the sum is wrong after continuing it, the file is
    downloaded once more from the start.
    """
    continued = target.exists()
    try:
        if urlsplit(url).scheme in ("http", "https"):
            _read_all(session, url, target, archive.size, report)
        else:
            shutil.copyfile(url, target)
        if file_sha256(target) != archive.sha256:
            raise _WrongFileError
    except _WrongFileError:
        target.unlink()
        if not continued:
            raise
        _download(session, url, target, archive, report)


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file, hexadecimal. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _read_all(session: requests.Session, url: str, target: Path, size: int, report: Report) -> None:
    """Append to `target` up to `size` bytes, in new connections as long as each brings something."""
    while (begin := _size(target)) < size:
        try:
            _read_on(session, url, target, begin, size, report)
        except requests.RequestException:
            if _size(target) <= begin:
                raise


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _read_on(
    session: requests.Session, url: str, target: Path, begin: int, size: int, report: Report
) -> None:
    """Append what one connection brings from byte `begin` on. Raises _WrongFileError for another size."""
    byte_range = {"Range": f"bytes={begin}-"} if begin else {}
    with session.get(url, headers=byte_range, stream=True, timeout=SECONDS) as answer:
        if answer.status_code == requests.codes.requested_range_not_satisfiable:
            raise _WrongFileError
        answer.raise_for_status()
        if answer.status_code != requests.codes.partial_content:  # some servers always send the whole file
            begin = 0
        with target.open("ab" if begin else "wb") as file:
            for chunk in answer.iter_content(CHUNK):
                begin += file.write(chunk)
                report(begin)
                if begin > size:
                    raise _WrongFileError
    if begin < size and "Content-Length" in answer.headers:  # requests raises an error if less than that came
        raise _WrongFileError


def _said(error: requests.RequestException) -> str:
    """The error in a few words: requests' own texts hold addresses and names of objects."""
    if isinstance(error, requests.HTTPError) and error.response is not None:
        return f"answered {error.response.status_code} {error.response.reason}"
    if isinstance(error, requests.exceptions.SSLError):
        return "its certificate is not trusted (pip's option `cert` names other certificates)"
    if isinstance(error, requests.exceptions.ProxyError):
        return "the proxy does not answer"
    if isinstance(error, requests.Timeout):
        return "does not answer"
    if isinstance(error, requests.ConnectionError):
        return "cannot be reached"
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return "the connection broke"
    return first_line(error)
