"""A headless Firefox for the tests, if the system has one. Playwright drives only a Firefox of its own.

A command is a list in JSON with its length in front; so is each answer.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

PATIENCE = 60
"""Seconds to wait for the browser."""

PREFERENCES = """\
user_pref("marionette.port", 0);
user_pref("app.update.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("browser.safebrowsing.downloads.remote.enabled", false);
user_pref("intl.accept_languages", "en");
user_pref("dom.ipc.processPrelaunch.enabled", false);
user_pref("extensions.enabledScopes", 0);
user_pref("toolkit.telemetry.server", "");
"""
"""Any free port; no requests of the browser's own, and no processes for pages to come."""


_DRAWN = """
const [done] = arguments;
requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)));
"""
"""Ends once the page has been drawn twice."""


class FirefoxError(Exception):
    """Firefox rejects a command."""


class Firefox:
    """A running browser with one window."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._count = 0
        self._receive()  # who it is
        self.command("WebDriver:NewSession", capabilities={})

    def command(self, name: str, **arguments: Any) -> Any:
        """Return the result of a command of WebDriver.

        :raises FirefoxError: it fails.
        """
        self._count += 1
        text = json.dumps([0, self._count, name, arguments]).encode()
        self._socket.sendall(b"%d:%s" % (len(text), text))
        _, _, error, result = self._receive()
        if error is not None:
            raise FirefoxError(error["message"])
        return result

    def _receive(self) -> Any:
        length = b""
        while not length.endswith(b":"):
            length += self._socket.recv(1)
        wanted, text = int(length[:-1]), b""
        while len(text) < wanted:
            text += self._socket.recv(wanted - len(text))
        return json.loads(text)

    def open(self, address: str, width: int, height: int) -> None:
        """Open *address* in a window whose page is *width* by *height*."""
        self.command("WebDriver:Navigate", url=address)
        self.resize(width, height)

    def resize(self, width: int, height: int) -> None:
        """Make the page *width* by *height*, and wait until it has been drawn so: its table follows the window."""
        self.command("WebDriver:SetWindowRect", width=width, height=height)
        inner = self.run("return [outerWidth - innerWidth, outerHeight - innerHeight]")
        self.command("WebDriver:SetWindowRect", width=width + inner[0], height=height + inner[1])
        self.command("WebDriver:ExecuteAsyncScript", script=_DRAWN, args=[], sandbox=None)

    def run(self, script: str, *arguments: Any) -> Any:
        """Return what *script*, the body of a function, returns in the page."""
        return self.command("WebDriver:ExecuteScript", script=script, args=list(arguments), sandbox=None)["value"]

    def press(self, *keys: str) -> None:
        """Press and release each key, as WebDriver names it."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.command("WebDriver:PerformActions", actions=[{"type": "key", "id": "keys", "actions": actions}])


@contextmanager
def firefox(profile: Path) -> Iterator[Firefox]:
    """Run a browser with its *profile* in an empty directory; skip the test if the system has none."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        pytest.skip("no firefox on this system")
    (profile / "user.js").write_text(PREFERENCES, encoding="utf-8")
    command = [program, "--headless", "--marionette", "--no-remote", "--profile", str(profile)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            with socket.create_connection(("127.0.0.1", _port(profile, process)), timeout=PATIENCE) as connection:
                yield Firefox(connection)
        finally:
            process.terminate()


def _port(profile: Path, process: subprocess.Popen[bytes]) -> int:
    """Return the port of the browser, which writes it to its profile."""
    file = profile / "MarionetteActivePort"
    end = monotonic() + PATIENCE
    while monotonic() < end and process.poll() is None:
        if file.exists() and (text := file.read_text(encoding="ascii")):
            return int(text)
        sleep(0.05)
    raise FirefoxError("firefox did not start")
