"""``python -m jmjp_convert`` is ``jmjp``."""

from __future__ import annotations

from jmjp_convert.cli import main

if __name__ == "__main__":
    main()
