"""Whether the modules under test are compiled, as `scripts/test-compiled` has them."""

from __future__ import annotations

from importlib.util import find_spec

COMPILED = find_spec("jmjp_convert.compiled__mypyc") is not None
