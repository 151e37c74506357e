"""What the browser tests share: which browser, a free port, and the wait for a server."""

import shutil
import socket
import subprocess
import urllib.request

CHROMIUM = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
PATIENCE = 240_000  # milliseconds: a machine that runs other tests as well takes its time
KERNEL_READY = "text=/\\| Idle$/"  # the status bar, once the kernel has answered; the dot in the toolbar says idle too early
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]


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
