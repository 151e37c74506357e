# Two commands do everything on a machine with Python 3.11 or newer, git and make:
#   make course   the main job: prove the checks, grade the sample class, train the small model, write the report
#   make test     every test
# and `make lab` opens the course in JupyterLab; `make site` writes the notebooks as pages to read.

PYTHON ?= python3
BIN := .venv/bin
export PYTHON

.PHONY: help course test lint lab site set-up clean
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

test: set-up
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .
	@OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist loadgroup # mypy is one of the tests

lint: set-up
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/python tests/type_check.py && $(BIN)/lint-imports

clean:
	rm -rf .venv lab runs report site .pytest_cache .mypy_cache .ruff_cache .hypothesis
