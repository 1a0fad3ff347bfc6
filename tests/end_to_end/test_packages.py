"""What somebody gets who installs Bigtop as a package."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from server.web.site import PAGES, is_built
from tests.end_to_end.topology import ROOT


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist."""
    assert is_built(), "make web builds it"
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert said.returncode == 0, said.stderr
    return folder


def test_the_wheel_holds_the_pages_as_they_were_built(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        inside = {name: archive.read(name) for name in archive.namelist() if name.startswith("server/web/pages/")}
    assert inside == {
        path.relative_to(ROOT).as_posix(): path.read_bytes() for path in PAGES.rglob("*") if path.is_file()
    }


def test_the_wheel_holds_the_four_packages_and_no_sources_of_the_web_client(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    folders = {name.split("/")[0] for name in names}
    assert {name for name in folders if not name.endswith(".dist-info")} == {"engine", "protocol", "server", "clients"}
    assert not [name for name in names if name.startswith("clients/web/")]
    assert not [name for name in names if name.endswith((".ts", ".tsx"))]


def test_the_sdist_can_be_installed_without_node(built: Path) -> None:
    """It holds the pages, and what they were built from."""
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"server/web/pages/index.html", "clients/web/package-lock.json", "tools/with-node"} <= names
    assert not [name for name in names if "node_modules" in name]
