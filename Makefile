# `make play` and `make test` each work alone on a machine with Python 3.11+, pip and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check install --quiet --constraint constraints.txt

.PHONY: play test quick lint setup bench docs pictures clean

play: $(VENV)/play.stamp
	@$(BIN)/strongroom; code=$$?; case $$code in 4|129|130|143) ;; *) exit $$code ;; esac

test: $(VENV)/test.stamp lint
	$(BIN)/pytest -n auto --dist worksteal

quick: $(VENV)/test.stamp
	$(BIN)/pytest -n auto --dist worksteal -m "not proof"

lint: $(VENV)/test.stamp
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

setup: $(VENV)/setup.stamp

bench: $(VENV)/setup.stamp
	$(BIN)/python benchmarks/playouts.py
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/master.py
	$(BIN)/python benchmarks/growth.py

docs: $(VENV)/setup.stamp
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --site-dir site

pictures: $(VENV)/setup.stamp
	$(BIN)/python docs/make_pictures.py docs/pictures

clean:
	rm -rf $(VENV) site

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "strongroom needs Python 3.11 or newer; try: make PYTHON=python3.12")'
	@$(PYTHON) -m venv $(VENV)

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
