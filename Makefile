# Everything there is to do, from a clean clone on Debian 12. Packages that are missing are named and then installed, as
# root; with SETUP=no nothing is installed, and what is missing is an error.

BUILD_PACKAGES := cmake ninja-build libeigen3-dev librandom123-dev libfmt-dev libcli11-dev nlohmann-json3-dev \
                  libtomlplusplus-dev libsqlitecpp-dev libsqlite3-dev libfast-float-dev libhdf5-dev zlib1g-dev \
                  libzip-dev libboost-dev
TEST_PACKAGES  := libgtest-dev librapidcheck-dev openmpi-bin libopenmpi-dev chromium librsvg2-bin python3-dev python3-venv python3-pip
BENCH_PACKAGES := libbenchmark-dev
PEER_PACKAGES  := python3-dev python3-venv python3-pip
FUZZ_PACKAGES  := clang-14 libclang-rt-14-dev
LINT_PACKAGES  := clang-format clang-tidy $(TEST_PACKAGES) $(BENCH_PACKAGES)

CXX_FILES = $(shell git ls-files '*.h' '*.cpp')
PYTHON_FILES = $(shell git ls-files '*.py')
QUIET := > /dev/null

# How much is tried (docs/reliability.md).
FAULTS := 1000
KILLS  := 1000
STEPS  := 10000000
COUNTS := $(CURDIR)/build/counts
export SETUP BELLWETHER_SEED

.PHONY: help demo test build bench bench-peers bench-python calibration calibration-gymnasium format lint docs reproduction by-value site clean \
        asan tsan python python-engines python-versions stubs notebooks wheel parquet faults kills soak fuzz node
.DEFAULT_GOAL := help

help:
	@echo "make demo     build, then reproduce the paper's studies at a small scale: tables, and a page in demo/report.html"
	@echo "make test     build and run all tests"
	@echo "make build    build build/release/bellwether"
	@echo "make parquet  the same, and what reads Parquet and Arrow files, with the libraries of pyarrow"
	@echo "make bench    measure learners and kernels: nanoseconds per step"
	@echo "make bench-peers  install other programs and measure them beside ours: ratios"
	@echo "make calibration  measure how often 95 % intervals hold the truth, on the library's problems (minutes)"
	@echo "make calibration-gymnasium  the same on environments of Gymnasium; a run that was stopped continues"
	@echo "make asan     run the tests with the address and undefined-behaviour sanitizers; PARTS=\"core data\": only these"
	@echo "make tsan     run the tests with the thread sanitizer; PARTS as above"
	@echo "make python   build the Python package in build/dev/python and test it"
	@echo "make python-engines  install PySpark and Ray, and test learning with them"
	@echo "make stubs    renew the types of the Python package, python/bellwether/*.pyi"
	@echo "make wheel    build the package for pip, a wheel and the sources, in build/dist, and check it"
	@echo "make python-versions  install the wheel in a fresh environment of every Python at hand, and test it"
	@echo "make notebooks  run the notebooks of docs/notebooks, and keep what they show"
	@echo "make site     build the documentation for the browser, build/site/html/index.html"
	@echo "make bench-python  measure Python beside C++ and beside other packages"
	@echo "make faults   let calls of the system fail, up to FAULTS=$(FAULTS) of each kind in every command, and the power"
	@echo "make kills    kill KILLS=$(KILLS) sweeps and as many streams"
	@echo "make soak     every learner over STEPS=$(STEPS) steps"
	@echo "make fuzz     give damaged inputs to every parser, for SECONDS=10 each"
	@echo "make format   format the sources"
	@echo "make lint     check the format, run static analysis, compile every source on its own"
	@echo "make docs     regenerate docs/reference.md"
	@echo "make reproduction  renew docs/reproduction.md and docs/untuned.md; with RESULTS=\"FILE.db ...\" from these files of results"
	@echo "make by-value  measure where on Mountain Car learners err, for docs/reproduction.md"
	@echo "make clean    remove everything that was built"
	@echo "SETUP=no      after any of these: install no packages, say which are missing"

# npm builds the page of reports. It is installed only where there is none.
node:
	@command -v npm $(QUIET) || scripts/setup nodejs npm

build: node
	@scripts/setup $(BUILD_PACKAGES)
	@cmake --preset release $(QUIET)
	@cmake --build --preset release

demo: build
	@mkdir -p demo
	@build/release/bellwether reproduce all --scale quick --out demo/reproduction.db
	@build/release/bellwether report demo/reproduction.db -o demo/report.html

test: node
	@scripts/setup $(BUILD_PACKAGES) $(TEST_PACKAGES)
	@scripts/configure_tests
	@cmake --build --preset dev
	@scripts/test build/dev

# PARTS="core data" builds and runs only these test programs. Inner loops are compiled faster, not for speed.
asan tsan: node
	@scripts/setup $(BUILD_PACKAGES) $(TEST_PACKAGES)
	@cmake --preset $@ -DBELLWETHER_HOT=-O1 $(QUIET)
	@cmake --build --preset $@ $(if $(PARTS),--target $(PARTS:%=test_%))
	@scripts/test build/$@ $(PARTS)

# The program with the module that reads Parquet and Arrow files, built against the pyarrow in build/arrow/environment.
ARROW_PYTHON := $(CURDIR)/build/arrow/environment/bin/python
parquet: node
	@scripts/setup $(BUILD_PACKAGES) python3-venv python3-pip
	@scripts/python_environment build/arrow cli/arrow/requirements.txt
	@cmake --preset release -DBELLWETHER_ARROW_PYTHON=$(ARROW_PYTHON) $(QUIET)
	@cmake --build --preset release

# The packages that build and test it go into build/python/environment.
PYTHON_PACKAGES := python3-dev python3-venv python3-pip
PYTHON := build/python/environment/bin/python
build/dev/python: node
	@scripts/setup $(BUILD_PACKAGES) $(PYTHON_PACKAGES)
	@scripts/python_environment build/python python/requirements.txt
	@cmake --preset dev -DBELLWETHER_PYTHON=ON -DPython_EXECUTABLE=$(CURDIR)/$(PYTHON) $(QUIET)
	@cmake --build --preset dev --target bellwether_python bellwether_cli
.PHONY: build/dev/python

python: build/dev/python
	@PYTHONPATH=$< BELLWETHER_PROGRAM=$(CURDIR)/build/dev/bellwether $(PYTHON) -m pytest -q python/tests

stubs: build/dev/python
	@PYTHONPATH=$< $(PYTHON) scripts/python_stubs.py

notebooks: build/dev/python
	@PYTHONPATH=$< $(PYTHON) scripts/notebooks.py

# MkDocs has an environment of its own, build/mkdocs. Its configuration names the folders in build/site.
site: build/dev/python
	@PYTHONPATH=$< $(PYTHON) docs/site/generate.py build/site/sources
	@scripts/python_environment build/mkdocs docs/site/requirements.txt
	@npm install --silent --no-audit --no-fund --prefix build/mkdocs iframe-worker@1.0.3
	@mkdir -p build/site/sources/assets && cp -r build/mkdocs/node_modules/iframe-worker/shim build/site/sources/assets/iframe-worker
	@NO_MKDOCS_2_WARNING=1 build/mkdocs/environment/bin/python -m mkdocs build --quiet --config-file docs/site/mkdocs.yml
	@$(PYTHON) docs/site/check.py build/site/html

wheel: node
	@scripts/setup $(BUILD_PACKAGES) $(PYTHON_PACKAGES)
	@scripts/wheel build/dist

python-versions: wheel
	@scripts/python_versions build/dist/*manylinux*.whl

# PySpark, which needs Java, and Ray are large, so they have an environment of their own, build/engines.
python-engines: python
	@scripts/setup openjdk-17-jre-headless
	@scripts/python_environment build/engines python/requirements_engines.txt
	@PYTHONPATH=build/dev/python build/engines/environment/bin/python -m pytest -q python/tests/test_engines.py

# The counts go into build/counts/.
build/dev/tests/test_faults: node
	@scripts/setup $(BUILD_PACKAGES) $(TEST_PACKAGES)
	@cmake --preset dev $(QUIET)
	@cmake --build --preset dev --target test_faults
	@mkdir -p $(COUNTS)
.PHONY: build/dev/tests/test_faults

faults: build/dev/tests/test_faults
	@echo "what,command,number" > $(COUNTS)/faults.csv
	@BELLWETHER_FAULTS=$(FAULTS) BELLWETHER_COUNTS=$(COUNTS)/faults.csv $< --gtest_filter='*Injected*:*PowerLoss*'

kills: build/dev/tests/test_faults
	@echo "what,command,number" > $(COUNTS)/kills.csv
	@BELLWETHER_KILLS=$(KILLS) BELLWETHER_COUNTS=$(COUNTS)/kills.csv $< --gtest_filter='Kills.*'

soak: node
	@scripts/setup $(BUILD_PACKAGES) $(BENCH_PACKAGES)
	@cmake --preset bench $(QUIET)
	@cmake --build --preset bench --target bench_soak
	@mkdir -p $(COUNTS)
	@build/release/bench/bench_soak --steps $(STEPS) --csv $(COUNTS)/soak.csv

# Inputs that reach something new, findings and counts stay in build/fuzz/state, or FUZZ_STATE. TARGETS=csv: only these.
SECONDS := 10
fuzz: node
	@scripts/setup $(BUILD_PACKAGES) $(FUZZ_PACKAGES)
	@cmake --preset fuzz $(QUIET)
	@cmake --build --preset fuzz --target fuzz
	@scripts/fuzz build/fuzz $(SECONDS) $(TARGETS)

bench: node
	@scripts/setup $(BUILD_PACKAGES) $(BENCH_PACKAGES)
	@cmake --preset bench $(QUIET)
	@cmake --build --preset bench
	@build/release/bench/bench_domains
	@build/release/bench/bench_learners
	@build/release/bench/bench_accelerated
	@build/release/bench/bench_sharing
	@build/release/bench/bench_krylov
	@build/release/bench/bench_kernels
	@build/release/bench/bench_data
	@build/release/bench/bench_scaling
	@build/release/bench/bench_longest_step

# The other programs go into build/release/peers.
bench-peers: node
	@scripts/setup $(BUILD_PACKAGES) $(BENCH_PACKAGES) $(PEER_PACKAGES)
	@cmake --preset bench $(QUIET)
	@cmake --build --preset bench --target bench_peers
	@bench/peers/install build/release/peers
	@python3 bench/peers/run.py build/release/bench/bench_peers build/release/peers $(PEERS)

# The wheel goes to the other programs, so that what is measured is what users have.
bench-python: wheel
	@scripts/setup $(BENCH_PACKAGES)
	@cmake --preset bench $(QUIET)
	@cmake --build --preset bench --target bench_peers
	@bench/peers/install build/release/peers
	@python3 -m pip --python build/release/peers/environment/bin/python install --quiet --force-reinstall --no-deps \
	  --disable-pip-version-check build/dist/*.whl
	@python3 bench/peers/run.py build/release/bench/bench_peers build/release/peers --python $(PEERS)

calibration: node
	@scripts/setup $(BUILD_PACKAGES) $(BENCH_PACKAGES)
	@cmake --preset bench $(QUIET)
	@cmake --build --preset bench --target bench_calibration
	@build/release/bench/bench_calibration --csv bench/results/calibration.csv
	@python3 bench/calibration/figure.py bench/results/calibration.csv bench/results/gymnasium.csv docs/images/calibration.svg

calibration-gymnasium: build
	@scripts/setup python3-venv python3-pip
	@scripts/python_environment build/python python/requirements.txt
	@$(PYTHON) bench/calibration/gymnasium_logs.py build/release/bellwether \
	  bench/results/gymnasium_answers.csv bench/results/gymnasium.csv
	@python3 bench/calibration/figure.py bench/results/calibration.csv bench/results/gymnasium.csv docs/images/calibration.svg

format: node
	@scripts/setup clang-format python3-venv python3-pip
	@clang-format -i $(CXX_FILES)
	@scripts/ruff format --quiet $(PYTHON_FILES)
	@cmake --preset dev $(QUIET) && cmake --build --preset dev --target report_page $(QUIET)
	@cd web && npm run format --silent $(QUIET)

lint: node
	@scripts/setup $(BUILD_PACKAGES) $(LINT_PACKAGES)
	@clang-format --dry-run --Werror $(CXX_FILES)
	@scripts/ruff check --quiet $(PYTHON_FILES)
	@scripts/ruff format --check --quiet $(PYTHON_FILES)
	@cmake --preset dev $(QUIET)
	@cmake --preset lint $(QUIET)
	@scripts/lint
	@cmake --build --preset lint --target report_page $(QUIET)
	@cd web && npm run check --silent $(QUIET)

docs: build
	@build/release/bellwether reference > docs/reference.md

reproduction: build
	@[ -z "$(RESULTS)" ] || python3 scripts/reproduction/collect.py build/release/bellwether docs/reproduction $(RESULTS)
	@python3 scripts/reproduction/page.py docs/reproduction/reproduction.md docs/reproduction.md
	@python3 scripts/reproduction/page.py docs/reproduction/untuned.md docs/untuned.md

# Where the learners of Figure 2 err; needs the summaries of mountain_car.
by-value: build/dev/python
	@PYTHONPATH=$< $(PYTHON) scripts/reproduction/by_value.py docs/reproduction/mountain_car

clean:
	@rm -rf build demo
