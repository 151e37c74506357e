"""Servers for tests on the loopback address:
a free port, the wait for an answer, and a JupyterHub of deploy/one_machine.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import urllib.request

import pytest
from environments import ROOT

MADE = ROOT / ".hub" / "hub"  # by set-up
HUB, PROXY = MADE / "bin" / "jupyterhub", MADE / "node_modules" / ".bin" / "configurable-http-proxy"
needs_hub = pytest.mark.skipif(
    not (HUB.exists() and PROXY.exists()), reason="no JupyterHub in .hub: set-up makes it, and needs npm"
)


def free_port():
    """A port of this machine that nothing listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait_for(address, server, log):
    """Return once `address` answers; fail with the end of the log if the server ends or stays silent."""
    for _ in range(240):
        assert server.poll() is None, log.read_text()[-3000:]
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except OSError:  # not listening yet
            try:
                server.wait(timeout=0.5)
            except subprocess.TimeoutExpired:
                continue
    raise AssertionError(log.read_text()[-3000:])


@contextlib.contextmanager
def hub_of(place, config, answers, settings):
    """The address of a JupyterHub with `deploy/one_machine`'s configuration `config`,
    once its page `answers` is there.

    `settings` is the text of settings.toml, without the address. The hub keeps everything in the folder
    `place`.
    """
    shutil.copytree(ROOT / "deploy" / "one_machine" / "etc", place / "etc", dirs_exist_ok=True)
    for folder in ("hub", "state"):
        (place / folder).mkdir()
    (place / "hub" / "node_modules").symlink_to(MADE / "node_modules")
    address = f"http://127.0.0.1:{free_port()}"
    (place / "etc" / "settings.toml").write_text(f'address = "{address}"\n{settings}')
    ports = [
        f"--JupyterHub.hub_port={free_port()}",
        f"--ConfigurableHTTPProxy.api_url=http://127.0.0.1:{free_port()}",
    ]
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("KQA", "JUPYTER", "NBGRADER", "PYTHON"))
    }
    with (place / "hub.log").open("w") as log:
        command = [str(HUB), "-f", str(place / "etc" / config), *ports]
        server = subprocess.Popen(command, cwd=place, stdout=log, stderr=subprocess.STDOUT, env=env)
    try:
        wait_for(f"{address}{answers}", server, place / "hub.log")
        yield address
    finally:
        server.terminate()  # which stops the proxy and everybody's server
        server.wait()
