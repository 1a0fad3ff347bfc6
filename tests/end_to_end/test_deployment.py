"""What somebody runs who deploys it: docker-compose.yml, Dockerfile, and what they name. No Docker is needed."""

import asyncio
import json
import os
import re
import shlex
import shutil
import subprocess
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest

from server.house import KEY_VARIABLE
from server.settings import load, named
from server.store.redis_durability import WANTED
from server.web.site import PAGES, is_built
from tests.end_to_end.processes import serving
from tests.end_to_end.topology import ROOT, SERVER_PORT, SERVERS, compose, nginx

SERVICES: dict[str, dict[str, Any]] = compose()["services"]
DOCKERFILE = re.sub(r"\\\n *", "", (ROOT / "Dockerfile").read_text())
WEB, BUILD, IMAGE = (part.splitlines() for part in DOCKERFILE.split("\n\n"))


def instructions(name: str) -> list[str]:
    """What follows a word in the part of the Dockerfile that becomes the image."""
    return [line.removeprefix(name).strip() for line in IMAGE if line.startswith(f"{name} ")]


def in_exec_form(name: str) -> list[str]:
    """A command that no shell takes apart, so that signals reach it."""
    (text,) = instructions(name)
    command = json.loads(text[text.index("[") :])
    assert all(isinstance(part, str) for part in command)
    return list(command)


class TestCompose:
    def test_who_is_there(self) -> None:
        assert set(SERVICES) == {"redis", "balancer", *SERVERS}

    @pytest.mark.parametrize("name", SERVERS)
    def test_the_servers_options_are_accepted(self, name: str) -> None:
        entry, *options = SERVICES[name]["command"]
        assert [*in_exec_form("ENTRYPOINT"), entry] == ["bigtop", "serve"]
        environment = dict.fromkeys(SERVICES[name]["environment"], "")
        assert set(environment) <= {KEY_VARIABLE, *(setting.variable for setting in named())}
        settings = load(options, environment)
        assert (settings.host, settings.port, settings.lossy_redis) == ("0.0.0.0", SERVER_PORT, False)
        assert settings.redis == "redis://redis:6379"

    @pytest.mark.parametrize("name", SERVERS)
    def test_the_house_key_has_to_be_given(self, name: str) -> None:
        assert SERVICES[name]["environment"][KEY_VARIABLE].startswith(f"${{{KEY_VARIABLE}:?")

    def test_only_the_balancer_can_be_reached(self) -> None:
        assert [name for name, service in SERVICES.items() if "ports" in service] == ["balancer"]

    def test_redis_keeps_what_it_says_it_has_stored(self) -> None:
        command = SERVICES["redis"]["command"]
        for setting, value in WANTED:
            assert command[command.index(f"--{setting}") + 1] == value
        assert SERVICES["redis"]["volumes"] == ["redis:/data"]

    def test_what_is_mounted_exists(self) -> None:
        for service in SERVICES.values():
            for mounted in service["volumes"]:
                source = mounted.partition(":")[0]
                assert (ROOT / source).is_file() if source.startswith(".") else source in compose()["volumes"]

    def test_what_is_built_exists(self) -> None:
        for name in SERVERS:
            assert (ROOT / SERVICES[name]["build"] / "Dockerfile").is_file()

    def test_who_is_started_again_and_looked_after(self) -> None:
        for service in SERVICES.values():
            assert service["restart"] == "unless-stopped"
            assert service["healthcheck"]["test"]

    def test_who_waits_for_whom(self) -> None:
        healthy = {"condition": "service_healthy"}
        assert SERVICES["balancer"]["depends_on"] == dict.fromkeys(SERVERS, healthy)
        for name in SERVERS:
            assert SERVICES[name]["depends_on"] == {"redis": healthy}

    def test_addresses_agree(self) -> None:
        (network,) = compose()["networks"]
        subnet = ip_network(compose()["networks"][network]["ipam"]["config"][0]["subnet"])
        addresses = {name: service["networks"][network]["ipv4_address"] for name, service in SERVICES.items()}
        assert len(set(addresses.values())) == len(addresses)
        assert all(ip_address(address) in subnet for address in addresses.values())
        assert SERVICES["balancer"]["extra_hosts"] == [f"{name}={addresses[name]}" for name in SERVERS]

    def test_a_compose_program_takes_it(self) -> None:
        """With one that is installed; no Docker engine is needed for that."""
        program = _compose_program()
        if program is None:
            pytest.skip("needs docker compose")
        command = [*program, "--project-directory", str(ROOT), "config", "--quiet"]
        said = subprocess.run(command, env={**os.environ, KEY_VARIABLE: "k" * 20}, capture_output=True, timeout=60)
        assert (said.returncode, said.stderr) == (0, b"")
        without = {key: value for key, value in os.environ.items() if key != KEY_VARIABLE}
        refused = subprocess.run([*command, "--env-file", os.devnull], env=without, capture_output=True, timeout=60)
        assert refused.returncode != 0


def _compose_program() -> list[str] | None:
    if found := os.environ.get("BIGTOP_TEST_COMPOSE") or shutil.which("docker-compose"):
        return [found]
    if shutil.which("docker"):
        tried = subprocess.run(["docker", "compose", "version"], capture_output=True, timeout=30)
        return ["docker", "compose"] if tried.returncode == 0 else None
    return None


class TestDockerfile:
    def test_packages_are_pinned_by_their_hashes(self) -> None:
        installs = [line for line in BUILD if "pip" in line and "RUN" in line]
        assert all("--require-hashes" in line or "--no-index" in line for line in installs)
        assert len(installs) == 2

    def test_what_is_copied_exists_and_is_not_left_out(self) -> None:
        let_through = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line[0] == "!"}
        copied = {name for line in [*WEB, *BUILD] if line.startswith("COPY") for name in _copied(line)}
        assert {name.split("/")[0] for name in copied} == let_through
        assert all((ROOT / name).exists() for name in copied)

    def test_what_was_built_here_stays_out(self) -> None:
        left_out = (ROOT / ".dockerignore").read_text().splitlines()
        assert {"**/node_modules", PAGES.relative_to(ROOT).as_posix()} <= set(left_out)

    @pytest.mark.slow
    def test_the_web_client_is_built(self, tmp_path: Path) -> None:
        """The stage for it, with no more than what it copies; Node is the one that `make` uses."""
        work = tmp_path
        for line in WEB:
            word, _, rest = line.partition(" ")
            match word:
                case "FROM":
                    assert rest.startswith("node:")
                case "WORKDIR":
                    work = tmp_path / rest.lstrip("/")
                    work.mkdir(parents=True)
                case "COPY":
                    for name in _copied(line):
                        _copy(ROOT / name, work)
                case "RUN":
                    command = [str(ROOT / "tools" / "with-node"), *shlex.split(rest)]
                    said = subprocess.run(command, cwd=work, capture_output=True, text=True, timeout=180)
                    assert said.returncode == 0, said.stdout + said.stderr
                case _:
                    raise AssertionError(line)
        (handed_on,) = [line.split() for line in BUILD if "--from=web" in line]
        assert is_built(tmp_path / handed_on[2].lstrip("/"))
        assert handed_on[3] == PAGES.relative_to(ROOT).as_posix()

    def test_it_runs_as_nobody_special(self) -> None:
        (user,) = instructions("USER")
        assert int(user) > 0
        assert f"useradd --uid {user} " in DOCKERFILE

    def test_what_it_starts(self) -> None:
        command = [*in_exec_form("ENTRYPOINT"), *in_exec_form("CMD")]
        assert command == ["bigtop", "serve"]
        assert instructions("STOPSIGNAL") == ["SIGTERM"]
        (line,) = instructions("ENV")
        environment = dict(word.split("=", 1) for word in shlex.split(line))
        assert load([], environment).host == "0.0.0.0"
        assert [environment["XDG_DATA_HOME"]] == instructions("VOLUME")


def _copied(line: str) -> list[str]:
    """What a COPY takes from the checkout."""
    names = line.split()[1:-1]
    return [] if names[0].startswith("--from") else names


def _copy(source: Path, folder: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, folder, ignore=shutil.ignore_patterns("node_modules"), dirs_exist_ok=True)
    else:
        shutil.copy(source, folder)


@pytest.mark.parametrize("command", [in_exec_form("HEALTHCHECK"), SERVICES[SERVERS[0]]["healthcheck"]["test"][1:]])
async def test_the_check_of_a_servers_health(command: list[str]) -> None:
    """With what is in the image: Python."""
    program, *arguments = command
    assert program == "python"
    code = arguments.pop()
    assert arguments == ["-c"]
    async with serving(None, "--no-bots") as server:
        port = server.http.rpartition(":")[2]
        assert code.count(str(SERVER_PORT)) == 1
        code = code.replace(str(SERVER_PORT), port)
        assert await _exit_code("python3", "-c", code) == 0
        await server.stop()
        assert await _exit_code("python3", "-c", code) != 0


async def _exit_code(*command: str) -> int:
    process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.DEVNULL)
    return await process.wait()


def test_the_balancers_check_asks_for_what_it_has() -> None:
    path = SERVICES["balancer"]["healthcheck"]["test"][-1].removeprefix("http://127.0.0.1")
    assert f"location = {path} {{" in (ROOT / "deploy" / "nginx.conf").read_text()


@pytest.mark.skipif(nginx() is None, reason="needs nginx: tools/debian-packages nginx")
def test_nginx_takes_its_configuration(tmp_path: Path) -> None:
    text = (ROOT / "deploy" / "nginx.conf").read_text()
    for name in SERVERS:
        text = text.replace(f"{name}:", "127.0.0.1:")
    (tmp_path / "nginx.conf").write_text(text)
    command = [str(nginx()), "-t", "-p", f"{tmp_path}/", "-c", f"{tmp_path}/nginx.conf", "-e", "stderr"]
    said = subprocess.run([*command, "-g", "pid nginx.pid;"], capture_output=True, text=True, timeout=10)
    assert said.returncode == 0, said.stderr
    assert "[warn]" not in said.stderr


def test_the_script_for_packages_changes_nothing_where_all_are_there() -> None:
    if shutil.which("dpkg-query") is None:
        pytest.skip("needs dpkg")
    script = str(ROOT / "tools" / "debian-packages")
    said = subprocess.run([script, "bash", "coreutils"], capture_output=True, text=True, timeout=30)
    assert (said.returncode, said.stdout, said.stderr) == (0, "", "")


def test_the_script_for_packages_does_no_harm_where_it_can_do_nothing(tmp_path: Path) -> None:
    """No apt-get, as on another system."""
    bash = shutil.which("bash")
    assert bash is not None
    command = [bash, str(ROOT / "tools" / "debian-packages"), "nginx", "redis-server"]
    said = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True, timeout=30)
    assert said.returncode == 0
    assert said.stderr == (
        "debian-packages: there is no apt-get here; tests that need nginx redis-server are skipped\n"
    )
