"""The build hook for wheels with compiled modules: ``HATCH_BUILD_HOOKS_ENABLE=1 pip install .`` turns it on.

It compiles a copy of the package: a compiled module in the checkout would be imported in place of the edited file.
``MYPYC_OPT_LEVEL=0`` is for tests: it compiles in less time, the code is slower, and has mypyc's own assertions.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

GROUP = "jmjp_convert.compiled"
"""The name of the library with the code of all compiled modules."""

SETUP = """
import os
from mypy.util import hard_exit
from mypyc.build import mypycify
from setuptools import setup

modules = mypycify({arguments!r}, group_name={group!r}, opt_level={level!r}, debug_level="0")
if os.name == "posix":
    for module in modules:
        module.extra_compile_args.append("-Wno-misleading-indentation")  # in one large file, gcc looks long for those
setup(name="jmjp-convert", packages=[], ext_modules=modules, script_args=["-q", "build_ext", "--inplace"])
hard_exit()  # frees the millions of objects of mypy at once, as mypy does
"""


SETTINGS = """
[mypy]
follow_imports = silent
[mypy-dask.*,distributed.*]
follow_imports = skip
"""
"""What mypy reads: not the thousand modules that only a cluster needs, and which an isolated build lacks anyway."""


class CompiledModules(BuildHookInterface[Any]):
    """Compiles the modules that pyproject.toml lists, for a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the modules, and put them into the wheel beside their source, which shows in tracebacks."""
        if version == "editable":
            return  # the files of the checkout are imported
        self._made = TemporaryDirectory()
        folder = Path(self._made.name).resolve()
        shutil.copytree(Path(self.root, "jmjp_convert"), folder / "jmjp_convert", ignore=shutil.ignore_patterns("*.so"))
        arguments = [*self.config["mypy-args"], *self.config["modules"]]
        level = os.environ.get("MYPYC_OPT_LEVEL", str(self.config["opt-level"]))
        (folder / "mypy.ini").write_text(SETTINGS, encoding="utf-8")
        (folder / "setup.py").write_text(SETUP.format(arguments=arguments, group=GROUP, level=level), encoding="utf-8")
        subprocess.run([sys.executable, "setup.py"], cwd=folder, check=True)
        for suffix in ("so", "pyd"):
            for path in folder.joinpath("jmjp_convert").rglob(f"*.{suffix}"):
                build_data["force_include"][str(path)] = path.relative_to(folder).as_posix()
        build_data.update(pure_python=False, infer_tag=True)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the folder."""
        del build_data, artifact_path
        if version != "editable":
            self._made.cleanup()
