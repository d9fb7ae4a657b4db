"""The model to the JSON of Tenhou's log viewer and editor, tenhou.net/6 (source: ``formats.md`` 1).

Where that is silent, Tenhou's own JSON decided, and after it what the peers that read or write the format agree on.
"""

from jmjp_convert.export.tenhou6.losses import losses
from jmjp_convert.export.tenhou6.writer import write_tenhou6, write_tenhou6_frames, write_tenhou6_urls

__all__ = ["losses", "write_tenhou6", "write_tenhou6_frames", "write_tenhou6_urls"]
