"""A stand-in for the Hugging Face hub on the loopback address: the addresses that its clients ask."""

from __future__ import annotations

import contextlib
import hashlib
import http.server
import json
import re
import threading

COMMIT = "0123456789abcdef0123456789abcdef01234567"
FILE = re.compile(r"/(?:(datasets)/)?(.+)/resolve/[^/]+/(.+)")
API = re.compile(
    r"/api/(models|datasets)/(.+?)(?:/(revision|tree|paths-info)/([^/?]+)(?:/([^?]*))?)?(?:\?.*)?"
)


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self._answer()

    def do_HEAD(self):
        self._answer()

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        asked = self.rfile.read(length)
        self._answer(asked)

    def _answer(self, asked=b""):
        self.server.asked.append(f"{self.command} {self.path}")
        path = self.path
        if found := API.fullmatch(path):
            kind, name, what, _, inside = found.groups()
            files = self.server.repositories.get((kind, name))
            if files is not None:
                self._json(self._about(name, files, what, inside, asked))
                return
        elif found := FILE.fullmatch(path):
            kind, name, file = found.groups()
            content = self.server.repositories.get((kind or "models", name), {}).get(file)
            if content is not None:
                self._send(
                    content, {"ETag": f'"{hashlib.sha1(content).hexdigest()}"', "X-Repo-Commit": COMMIT}
                )
                return
        code = "RepoNotFound" if not self._known(path) else "EntryNotFound"
        self._send(b"{}", {"X-Error-Code": code, "X-Repo-Commit": COMMIT}, 404)

    def _known(self, path):
        return any(f"/{name}/" in path for _, name in self.server.repositories)

    def _about(self, name, files, what, inside, asked):
        entries = [
            {"type": "file", "path": path, "size": len(content), "oid": hashlib.sha1(content).hexdigest()}
            for path, content in files.items()
        ]
        if what == "tree":
            return [each for each in entries if not inside or each["path"].startswith(f"{inside}/")]
        if what == "paths-info":
            wanted = json.loads(asked)["paths"] if asked.startswith(b"{") else []
            return [each for each in entries if each["path"] in wanted]
        siblings = [{"rfilename": path} for path in files]
        return {"id": name, "sha": COMMIT, "siblings": siblings, "private": False, "tags": [], "downloads": 0}

    def _json(self, value):
        self._send(json.dumps(value).encode(), {"Content-Type": "application/json"})

    def _send(self, content, headers, status=200):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def running_hub(repositories):
    """A server of `repositories`, ("models" or "datasets", name) → file → bytes. Yields it; `address` is its
    address and `asked` what it was asked.
    """
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.repositories, server.asked = repositories, []
    server.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
