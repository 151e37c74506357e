# Two commands do everything on a machine with Python 3.11 or newer, git and make:
#   make course   the main job: prove the checks, grade the sample class, train the small model, write the report
#   make test     the tests: whatever a change can break
# `make quick`, for each commit: style, types, imports and the fast tests. `make test` adds those marked `slow`.
# `make test-all`, nightly and before a release, adds those marked `nightly` and every case of which `make test`
# draws a portion. CONTRIBUTING.md says what is where, and why.
# And `make lab` opens the course in JupyterLab; `make site` writes the notebooks as pages to read; `make hub` starts a JupyterHub to try.

PYTHON ?= python3
BIN := .venv/bin
export PYTHON
# compiled modules are kept, whatever the shell says: the tests start hundreds of processes
export PYTHONDONTWRITEBYTECODE :=
# tests share the cores: each process takes one
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest --dist loadgroup --no-loadscope-reorder

.PHONY: help course test test-all quick lint lab site hub set-up clean
help:
	@sed -n '1,/^$$/s/^# \{0,1\}//p' Makefile

set-up:
	@./set-up

course: set-up
	@$(BIN)/kqa course run

lab: set-up
	@$(BIN)/kqa lab

site: set-up
	@$(BIN)/kqa course site

hub: set-up
	@deploy/one_machine/try

test: set-up
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .
	@$(PYTEST) -n 3 -m "not nightly" --durations 30 # one more than cores: tests of the grader wait for clocks

test-all: set-up
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .
	@KQA_ALL=1 $(PYTEST) -n 3 --durations 30

quick: set-up # as `lint`, but the types beside the tests
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/lint-imports
	@$(BIN)/python tests/type_check.py & $(PYTEST) -q -n 2 -m "not slow and not nightly"; tests=$$?; wait $$! && exit $$tests

lint: set-up
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/python tests/type_check.py && $(BIN)/lint-imports

clean:
	rm -rf .venv .hub lab runs report site .pytest_cache .mypy_cache .ruff_cache .hypothesis
