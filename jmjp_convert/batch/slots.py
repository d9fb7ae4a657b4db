"""The inputs of a chunk, and their outputs on the way to their places."""

from __future__ import annotations

from typing import NamedTuple

from jmjp_convert.batch.product import Staged
from jmjp_convert.batch.worker import Outcome
from jmjp_convert.files.archives.entry import Entry
from jmjp_convert.model.log_ids import LogId


class Slot(NamedTuple):
    """An input of a chunk: for the worker, or with an *outcome* that is known without it.

    :ivar place: source, member and stamp, as in the ledger.
    :ivar chosen: whether it counts towards a limit or sample.
    """

    entry: Entry
    log_id: LogId | None
    place: tuple[str, str, str]
    chosen: bool
    outcome: Outcome | None = None


class Written(NamedTuple):
    """An output that is staged, and to get its *name* once it is recorded.

    :ivar ours: whether something at that name may be overwritten.
    """

    slot: Slot
    name: str
    staged: Staged
    ours: bool
    with_problems: bool
    renamed: bool
