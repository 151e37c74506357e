# Two commands do everything on a machine with Python 3.11 or newer, git and make:
#   make course   the main job: prove the checks, grade the sample class, train the small model, write the report
#   make test     every test
# For every commit, `make quick` checks style, types and imports and runs the fast tests.
# And `make lab` opens the course in JupyterLab; `make site` writes the notebooks as pages to read; `make hub` starts a JupyterHub to try.

PYTHON ?= python3
BIN := .venv/bin
export PYTHON

.PHONY: help course test quick lint lab site hub set-up clean
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
	@OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 3 --dist loadgroup --durations 30 # one more than cores: tests of the grader wait for clocks; mypy is one of the tests

quick: lint
	@OMP_NUM_THREADS=1 $(BIN)/python -m pytest -q -n 2 --dist loadgroup -m "not slow and not browser"

lint: set-up
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/python tests/type_check.py && $(BIN)/lint-imports

clean:
	rm -rf .venv .hub lab runs report site .pytest_cache .mypy_cache .ruff_cache .hypothesis
