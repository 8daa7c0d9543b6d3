# `make play` and `make test` each work alone on a machine with Python 3.11+, pip and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check install --quiet --constraint constraints.txt

.PHONY: play test lint setup bench docs picture clean

play: $(VENV)/play.stamp
	@$(BIN)/strongroom; code=$$?; [ $$code -eq 4 ] || [ $$code -eq 130 ] || exit $$code

test: $(VENV)/test.stamp lint
	$(BIN)/pytest -n auto

lint: $(VENV)/test.stamp
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

setup: $(VENV)/setup.stamp

bench: $(VENV)/setup.stamp
	$(BIN)/python benchmarks/playouts.py
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/master.py

docs: $(VENV)/setup.stamp
	$(BIN)/mkdocs build --strict --quiet --site-dir site

picture: $(VENV)/setup.stamp
	$(BIN)/python docs/make_picture.py docs/picture.svg

clean:
	rm -rf $(VENV) site

$(VENV)/bin/pip:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "strongroom needs Python 3.11 or newer; try: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/play.stamp: pyproject.toml constraints.txt | $(VENV)/bin/pip
	@echo "Setting up $(VENV) (once) ..."
	@$(PIP) --editable .
	@touch $@

$(VENV)/test.stamp: pyproject.toml constraints.txt | $(VENV)/bin/pip
	$(PIP) --editable '.[dev]'
	@touch $@

$(VENV)/setup.stamp: pyproject.toml constraints.txt | $(VENV)/bin/pip
	$(PIP) --editable '.[dev,docs,bench,theory]'
	@touch $@
