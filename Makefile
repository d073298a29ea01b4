# Everything that people and CI do with this tree. Paths stay relative: the folder's name may contain spaces.

.DEFAULT_GOAL := help
VENV := .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
# The interpreter that has the packages of training/requirements.txt.
TRAINING ?= data/training/bin/python
# Extra arguments for a target's command: make run ARGS="--port 9000"
ARGS ?=
# The interpreter that creates .venv; empty means the first suitable one found.
PYTHON ?=
# What `make quick` compares the tree with.
BASE ?= HEAD
# Parallel test processes: one more than cores, since they wait for the database and each other.
WORKERS ?= 3

PIP := $(PY) -m pip --disable-pip-version-check install -qq
LOCK := $(PY) -m uv pip compile -q --no-config --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --no-annotate --custom-compile-command "make lock"
# An editable install builds in .venv itself, so that what it builds with is pinned too.
BUILD := import tomllib; \
	print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], "editables", sep="\n")

# Without compiled files, each process that a test or a command starts compiles the package again.
unexport PYTHONDONTWRITEBYTECODE

# Scripts in .venv hold absolute paths, so an environment that moved or lost its Python is created again.
ifneq ($(shell test -x $(PY) && cat $(VENV)/.place 2>/dev/null),$(CURDIR))
.PHONY: $(VENV)/.place
endif

.PHONY: help run env test check pytest quick nightly fix bench planted-bugs chaos screenshots train docs docs-site new-source lock clean

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' Makefile
	@echo '  ARGS="…" is passed on (make run ARGS="--port 9000"); PYTHON=… selects the interpreter.'

run: $(VENV)/.run-ready ## Start Sightline: database, API and worker (Ctrl-C stops all of it)
	@exec $(BIN)/sightline up $(ARGS)

env: $(VENV)/.dev-ready ## Create .venv from the hashed lock files, with the developer tools

test: check pytest ## Everything CI checks

check: $(VENV)/.dev-ready ## Static checks: format, lint, types, layers, generated documents
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(PY) -m mypy
	$(BIN)/lint-imports --no-cache
	$(PY) -m docs.generate.reference --check

pytest: $(VENV)/.dev-ready ## Tests only: make pytest ARGS="tests/unit -x"
	$(PY) -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(ARGS)

quick: $(VENV)/.dev-ready ## Tests affected by your change, about a minute: make quick BASE=main on a branch
	$(PY) -m pytest -n $(WORKERS) --dist loadfile $$($(PY) -m tests.affected $(BASE)) $(ARGS)

nightly: $(VENV)/.dev-ready ## Long tests, an hour or more: chaos, planted bugs, kills, retries and the ledger
	$(PY) -m pytest -n $(WORKERS) --dist loadfile -m nightly $(ARGS)
	$(PY) -m tests.chaos --kills 300
	$(PY) -m tests.planted_bugs
	$(PY) -m tests.bench.hostile_readers --size 200000
	$(PY) -m tests.enrich.kills --kills 1000
	$(PY) -m tests.bench.idempotent_retries --retries 20000
	$(PY) -m tests.bench.ledger --operations 200000
	$(PY) -m tests.bench.account_index --checks 1000000
	$(PY) -m tests.console.screenshots --axe
	$(PY) -m tests.bench.growth
	$(PY) -m tests.bench.million
	$(PY) -m tests.bench.cluster
	$(PY) -m tests.crm.both_ways --records 10000
	$(PY) -m tests.crm.both_ways --records 10000 --crm salesforce

fix: $(VENV)/.dev-ready ## Format the code and apply lint fixes
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.dev-ready ## Compare frequent reads with a bare query
	$(PY) -m tests.bench.api $(ARGS)

planted-bugs: $(VENV)/.dev-ready ## Plant known bugs in a copy of the tree and check that tests catch them (minutes)
	$(PY) -m tests.planted_bugs $(ARGS)

chaos: $(VENV)/.dev-ready ## Run chaos tests on a whole installation: make chaos ARGS="--kills 300 --seed 7"
	$(PY) -m tests.chaos $(ARGS)

screenshots: $(VENV)/.dev-ready ## Take the two pictures of the README again (needs Chromium)
	$(PY) -m tests.console.screenshots

train: ## Train the heads again from the labels in training/ (needs scikit-learn: training/requirements.txt)
	$(TRAINING) training/heads.py $(ARGS)

docs: $(VENV)/.dev-ready ## Write docs/reference, openapi.json and the clients, then build the documentation site
	$(PY) -m docs.generate.reference
	$(MAKE) docs-site

docs-site: $(VENV)/.dev-ready ## Build the documentation site into site/ (offline)
	NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build -q $(ARGS)

new-source: $(VENV)/.dev-ready ## Create a source of facts: make new-source NAME=companies_house
	$(PY) -m tests.tools.new_source "$(NAME)"

lock: $(VENV)/.place ## Resolve the lock files again (ARGS=--upgrade for newer versions)
	@$(PY) -m uv --version >/dev/null 2>&1 || $(PIP) 'uv>=0.9'
	$(PY) -c '$(BUILD)' | $(LOCK) pyproject.toml - --extra redis --extra models --extra s3 --extra tracing -o requirements.lock $(ARGS)
	$(PY) -c '$(BUILD)' | $(LOCK) pyproject.toml - --extra redis --extra models --extra s3 --extra tracing --extra dev \
		-c requirements.lock -o requirements-dev.lock $(ARGS)

clean: ## Remove caches and build output; .venv and data stay
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist build
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.place:
	@set -e; found=; \
	fit='import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'; \
	if [ -n "$(PYTHON)" ]; then \
		if "$(PYTHON)" -c "$$fit" 2>/dev/null; then found="$(PYTHON)"; fi; \
	else \
		for name in python3 python3.14 python3.13 python3.12 python3.11; do \
			if "$$name" -c "$$fit" 2>/dev/null; then found=$$name; break; fi; \
		done; \
	fi; \
	if [ -z "$$found" ]; then \
		echo 'Sightline needs Python 3.11 or newer with its venv module; none was found.' >&2; \
		echo 'Debian, Ubuntu: apt install python3 python3-venv. Elsewhere: make PYTHON=/path/to/python3 …' >&2; \
		exit 1; \
	fi; \
	if [ -f $(VENV)/.place ] && [ "$$(cat $(VENV)/.place)" != "$$(pwd -P)" ]; then rm -rf $(VENV); fi; \
	if ! $(PY) -m pip --version >/dev/null 2>&1; then \
		echo "Making $(VENV) with $$("$$found" --version)"; "$$found" -m venv --clear $(VENV); \
	fi
	@pwd -P > $@

# Only what `make run` needs. With the stamp, the second start skips pip. The lock files name every
# package, so pip resolves nothing: some of its versions take a newer release for a package with extras.
$(VENV)/.run-ready: requirements.lock pyproject.toml $(VENV)/.place
	@echo 'Installing requirements.lock (a minute or two the first time)'
	@$(PIP) --no-deps --require-hashes -r requirements.lock
	@$(PIP) --no-deps --no-build-isolation --no-index -e .
	@$(PY) -m pip --disable-pip-version-check check
	@touch $@

$(VENV)/.dev-ready: requirements-dev.lock $(VENV)/.run-ready
	@echo 'Installing requirements-dev.lock'
	@$(PIP) --no-deps --require-hashes -r requirements-dev.lock
	@touch $@
