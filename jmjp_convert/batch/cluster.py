"""Runs a batch on the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from jmjp_convert.batch.executor import Workers
from jmjp_convert.errors import ConvertError, MissingExtraError

_PATIENCE = 30  # seconds for the scheduler to answer


@contextmanager
def cluster(address: str) -> Iterator[Workers]:
    """Connect to the workers of the cluster whose scheduler is at *address*.

    :raises MissingExtraError: ``distributed`` is not installed.
    :raises ConvertError: the scheduler cannot be reached.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingExtraError("--dask", "cluster") from error
    try:
        client: Any = Client(address, timeout=_PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError) as error:
        raise ConvertError(f"cannot reach a Dask scheduler at {address}: {error}") from error
    with client:
        number = sum(client.ncores().values())
        yield Workers(max(number, 1), partial(client.get_executor, pure=False), elsewhere=True)
