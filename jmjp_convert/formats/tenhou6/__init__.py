"""The model to the JSON of Tenhou's log viewer and editor, tenhou.net/6 (source: ``formats.md`` 1).

Where that is silent, Tenhou's own JSON decided, and after it what those agree on who read or write the format: the wide
digits of a yaku, what three players leave empty, the word for a frame that has not ended. The format says who called
from whom, not when: of a tile that somebody throws twice running, a reader has to find out which was called.
"""

from jmjp_convert.formats.tenhou6.losses import left_out, written_otherwise
from jmjp_convert.formats.tenhou6.writer import write_tenhou6, write_tenhou6_frames, write_tenhou6_urls

__all__ = ["left_out", "write_tenhou6", "write_tenhou6_frames", "write_tenhou6_urls", "written_otherwise"]
