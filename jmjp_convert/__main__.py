"""``python -m jmjp_convert`` is ``jmjp``."""

from __future__ import annotations

import signal


def run() -> None:
    """Run ``jmjp``. Ctrl-C while it is still loading ends it at once, without a traceback."""
    is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_usual:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from jmjp_convert.garbage_collection import collect_rarely

    collect_rarely()
    from jmjp_convert.cli import main

    if is_usual:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    main()


if __name__ == "__main__":
    run()
