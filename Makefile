# Everything a person needs: `make run` and `make test` install what they need first.

PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed

.PHONY: run test check lint format docs kills soak minders bench clean lock

run: $(INSTALLED)
	@$(BIN)/bigtop serve $(ARGS)

test: $(INSTALLED)
	@$(BIN)/python -m coverage erase
	@$(BIN)/python -m coverage run -m pytest -n 2 --dist worksteal $(ARGS)
	@$(BIN)/python -m tests.coverage_floors

# The quick part of the tests, at most 90 seconds.
check: $(INSTALLED)
	@$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow" $(ARGS)

lint: $(INSTALLED)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

format: $(INSTALLED)
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

# Writes docs/protocol.md and what lies in docs/protocol/ from the types.
docs: $(INSTALLED)
	@$(BIN)/python -m protocol.document

# About two minutes; wants two cores for itself.
bench: $(INSTALLED)
	@$(BIN)/bigtop bench engine
	@$(BIN)/bigtop bench server
	@$(BIN)/bigtop bench server --redis --workers 2 --seconds 30

# Kills the server in the middle of play a thousand times; takes half an hour.
kills: $(INSTALLED)
	@BIGTOP_KILLS=$(or $(KILLS),1000) $(BIN)/python -m pytest tests/end_to_end/test_kills.py $(ARGS)

# Plays under every kind of fault and prints what came out; SECONDS=60 for a tenth of it.
soak: $(INSTALLED)
	@$(BIN)/python -m tests.faults.soak $(or $(SECONDS),600) $(ARGS)

# Pins the newest versions that pyproject.toml allows.
lock: $(INSTALLED)
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url \
		--no-emit-find-links --python-version 3.11 --extra dev --upgrade pyproject.toml -o requirements.lock

clean:
	@rm -rf .venv build dist .coverage* .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(INSTALLED): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Bigtop needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..." >&2; exit 2; }
	@echo "installing into .venv (once)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $(INSTALLED)
