"""`kqa course link`: an address for students."""

from __future__ import annotations

from typing import Annotated

import typer


def register(course: typer.Typer) -> None:
    """Add this command."""

    @course.command()
    def link(
        hub: Annotated[str, typer.Option(help="The JupyterHub's address.")],
        repo: Annotated[str, typer.Option(help="The address of the repository that holds the student copy.")],
        branch: Annotated[str, typer.Option(help="Its branch.")] = "main",
        path: Annotated[
            str, typer.Option(help="The notebook to open, as the repository names it; default: its folder.")
        ] = "",
    ) -> None:
        """Print a link that copies the student files to a home on a JupyterHub (which needs nbgitpuller).

        Example: kqa course link --hub https://hub.example.org --repo https://github.com/owner/name
        """
        from autograder.build.jupyterhub_link import jupyterhub_link

        print(jupyterhub_link(hub, repo, branch, path))
