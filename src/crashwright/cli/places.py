"""Where the work of a command is done: in processes of this machine, or on the workers of a cluster."""

from __future__ import annotations

from crashwright.core.errors import EnvironmentProblem
from crashwright.workflows.places.place import LocalProcesses, Place


def place_of(cluster: str | None, jobs: int) -> Place:
    """The cluster of the scheduler at ``cluster``, else ``jobs`` processes here. Raises EnvironmentProblem."""
    if cluster is None:
        return LocalProcesses(jobs)
    try:
        # It takes a second to load, and is not always there.
        from crashwright.workflows.places.cluster import Cluster
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("distributed", "dask"):
            raise
        raise EnvironmentProblem(
            f"--cluster needs the package distributed: {error}.", "Install it: pip install 'crashwright[cluster]'."
        ) from None
    return Cluster(cluster)
