"""A PostgreSQL server of our own, for benchmarks and tests: on a socket in a new folder, without a port."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PASSWORD = "not-for-any-log"
PATIENCE = 240  # seconds: a machine that runs other things as well takes its time


def programs() -> Path | None:
    """The folder of PostgreSQL's server programs, or None. Debian keeps them off the PATH."""
    found = shutil.which("initdb")
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return Path(found).resolve().parent if found else debian[-1].parent if debian else None


@contextlib.contextmanager
def server() -> Iterator[Path]:
    """Run a server; yields the folder of its socket.
    It refuses root: started as root, it runs as another user.
    """
    # short: a socket's path has about 100 characters
    folder, found = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp")), programs()
    assert found is not None, "ask programs() first"
    who: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "cwd": folder}
    if os.geteuid() == 0:
        user = next(entry for entry in pwd.getpwall() if entry.pw_name in ("postgres", "nobody"))
        os.chown(folder, user.pw_uid, user.pw_gid)
        who |= {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    running = None
    try:
        secret = folder / "password"
        secret.write_text(PASSWORD)
        secret.chmod(0o644)
        facts = [
            "--auth=scram-sha-256",
            f"--pwfile={secret}",
            "--username=kqa",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
        ]
        made = subprocess.run([found / "initdb", "--pgdata", folder / "data", *facts], check=False, **who)
        assert made.returncode == 0, made.stdout.decode()
        options = [
            part
            for each in ("listen_addresses=", f"unix_socket_directories={folder}", "fsync=off")
            for part in ("-c", each)
        ]
        with (folder / "log").open("wb") as log:
            running = subprocess.Popen(
                [found / "postgres", "-D", folder / "data", *options], **{**who, "stdout": log}
            )
        until = time.monotonic() + PATIENCE
        while subprocess.run([found / "pg_isready", "-q", "-h", folder], check=False).returncode:
            assert running.poll() is None and time.monotonic() < until, (folder / "log").read_text()
            time.sleep(0.1)
        yield folder
    finally:
        if running is not None and running.poll() is None:
            running.send_signal(signal.SIGQUIT)  # its immediate way out: the folder goes anyway
            try:
                running.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                running.kill()
                running.wait()
        shutil.rmtree(folder, ignore_errors=True)


def new_database(folder: Path) -> str:
    """Make a database on the server whose socket is in `folder`; its URL."""
    import psycopg2

    name = f"kqa_{uuid.uuid4().hex}"
    connection = psycopg2.connect(host=str(folder), user="kqa", password=PASSWORD, dbname="postgres")
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    connection.close()
    return f"postgresql://kqa:{PASSWORD}@/{name}?host={folder}"
