"""What the browser tests share: which browser, and servers of notebooks."""

import contextlib
import os
import shutil
import subprocess
import sys

from nbformat.v4 import new_code_cell, new_notebook, writes
from servers import free_port, wait_for

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))),
    None,
)
PATIENCE = 240_000  # milliseconds: a machine that runs other tests as well takes its time
# the status bar, once the kernel has answered; the dot in the toolbar says idle too early
KERNEL_READY = "text=/\\| Idle$/"
LOCAL = ("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:")
HARMLESS = ("favicon", "404", "ResizeObserver")  # Lab asks for settings that need not exist
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextlib.contextmanager
def served(command, folder, environment, logs):
    """A Jupyter server that `command` starts in `folder`; the beginning of its addresses.
    It needs the token "key".
    """
    port = free_port()
    options = [
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        "--IdentityProvider.token=key",
        "--no-browser",
    ]
    with (logs / "server.log").open("w") as log:
        server = subprocess.Popen(
            [*command, *options], cwd=folder, stdout=log, stderr=subprocess.STDOUT, env=environment
        )
    try:
        wait_for(f"http://127.0.0.1:{port}/api?token=key", server, logs / "server.log")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        try:
            server.wait(timeout=30)
        except subprocess.TimeoutExpired:  # Jupyter may wait for ever for a kernel that is on its way out
            server.kill()
            server.wait()


def write_notebook(folder, name, cells):
    """A notebook of code cells, none of them run, as NAME.ipynb in `folder`."""
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells], metadata=kernel)
    (folder / f"{name}.ipynb").write_text(writes(notebook), encoding="utf-8")


@contextlib.contextmanager
def notebooks_served(folder, **notebooks):
    """A server of JupyterLab and Notebook 7 on notebooks of code cells, none of them run;
    its address, and the key to it.

    `/doc/tree/NAME.ipynb` is JupyterLab, `/notebooks/NAME.ipynb` is Notebook 7.
    """
    for name, cells in notebooks.items():
        write_notebook(folder, name, cells)
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--allow-root",
        "--ip=127.0.0.1",
        f"--ServerApp.root_dir={folder}",
    ]
    command += ["--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    own = {
        name: str(folder / "home" / name)
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
    }
    with served(command, folder, {**os.environ, **own}, folder) as address:
        yield address, "token=key"
