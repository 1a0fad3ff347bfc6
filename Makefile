# Everything a person needs: `make run` and `make test` install what they need first.

PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed

# The web client: its sources, what it is built with, and what comes out.
WEB := clients/web
NPM := cd $(WEB) && ../../tools/with-node npm
WEB_SOURCES := $(wildcard $(WEB)/*.json $(WEB)/*.ts $(WEB)/*.html) $(shell find $(WEB)/src $(WEB)/public 2>/dev/null)
WEB_INSTALLED := $(WEB)/node_modules/.installed
PAGES := server/web/pages/index.html

PIN := $(BIN)/uv pip compile --quiet --upgrade --universal --generate-hashes --no-header --no-annotate \
	--no-emit-index-url --no-emit-find-links --python-version 3.11

.PHONY: run test check lint format docs kills soak minders bench web clean lock

run: $(INSTALLED)
	@$(MAKE) --no-print-directory web || echo "the pages for the browser could not be built; serving what there is" >&2
	@$(BIN)/bigtop serve $(ARGS)

test: $(INSTALLED) $(PAGES)
	@$(NPM) run --silent test
	@$(BIN)/python -m coverage erase
	@$(BIN)/python -m coverage run -m pytest -n 2 --dist worksteal $(ARGS)
	@$(BIN)/python -m tests.coverage_floors

# The quick part of the tests, at most 90 seconds.
check: $(INSTALLED) $(PAGES)
	@$(NPM) run --silent test
	@$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow" $(ARGS)

lint: $(INSTALLED) $(WEB_INSTALLED)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(NPM) run --silent lint

format: $(INSTALLED) $(WEB_INSTALLED)
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@$(NPM) run --silent format

# The pages for the browser, in server/web/pages.
web: $(PAGES)
	@:

# Writes docs/protocol.md, what lies in docs/protocol/ and the web client's types from the types of the protocol.
docs: $(INSTALLED) $(WEB_INSTALLED)
	@$(BIN)/python -m protocol.document
	@$(NPM) run --silent types

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
	@$(PIN) --extra dev pyproject.toml -o requirements.lock
	@$(PIN) --group node -o tools/node.lock

clean:
	@rm -rf $(WEB)/node_modules server/web/pages
	@rm -rf .venv build dist .coverage* .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(INSTALLED): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Bigtop needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..." >&2; exit 2; }
	@echo "installing into .venv (once)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $(INSTALLED)

$(WEB_INSTALLED): $(WEB)/package-lock.json $(WEB)/package.json | $(INSTALLED)
	@echo "installing into $(WEB)/node_modules (once)"
	@$(NPM) ci --loglevel=error >/dev/null
	@touch $@

$(PAGES): $(WEB_INSTALLED) $(WEB_SOURCES)
	@echo "building the pages for the browser"
	@$(NPM) run --silent build -- --logLevel warn
	@touch $@
