# `make help` lists the targets. Each target installs the Debian packages it lacks, configures once, and builds only what
# changed. The work itself is CMake's (CMakeLists.txt, CMakePresets.json); this file only saves the typing.

BASE_PACKAGES  := g++ cmake ninja-build libeigen3-dev libfmt-dev libcli11-dev nlohmann-json3-dev libfast-float-dev
TEST_PACKAGES  := $(BASE_PACKAGES) libgtest-dev librapidcheck-dev chromium graphviz python3-networkx python3-jsonschema

FUZZ_PACKAGES  := $(BASE_PACKAGES) clang libclang-rt-14-dev

comma := ,

# How long `make fuzz` spends on each target; `make test` ends with as much.
SECONDS := 15

# ccache keeps units compiled with a precompiled header only if it is told that this is all right.
SLOPPINESS := CCACHE_SLOPPINESS=pch_defines,time_macros
LAUNCHER := $(if $(shell command -v ccache),-DCMAKE_CXX_COMPILER_LAUNCHER='cmake;-E;env;$(SLOPPINESS);ccache')

# Node bundles the script of report.html. Without it the build continues, and reports are plain pages of tables.
define node
	@command -v npm >/dev/null 2>&1 || tools/install nodejs npm || echo 'without Node: report.html will be plain' >&2
endef

# Clp solves the linear programs behind proofs of the optimum. It is looked for at run time; without it bounds are weaker.
define clp
	@ldconfig -p 2>/dev/null | grep -q libClp.so.1 || tools/install coinor-libclp1 || \
	  echo 'without Clp: weaker bounds on how much better a graph could be' >&2
endef

# $(call build,PRESET,FOLDER,TARGET): configures unless the build files already know TARGET (a package installed since
# then can bring it), then builds it. Warnings and errors show; the list of files compiled shows on a terminal alone.
define build
	@[ -s $(2)/generated/report/report.js ] || ! command -v npm >/dev/null 2>&1 || rm -f $(2)/generated/report/report.js
	@grep -qs '^build $(3):' $(2)/build.ninja || cmake --preset $(1) $(LAUNCHER) --log-level=WARNING >/dev/null
	@if [ -t 1 ]; then ninja -C $(2) $(3); else ninja -C $(2) --quiet $(3); fi
endef

# $(call run_tests,FOLDER): every test, silent while all is well; what failed is shown with its output.
define run_tests
	@ctest --test-dir $(1) --output-on-failure -j$$(nproc) >$(1)/tests.log 2>&1 \
	  || { grep -vE ' Passed |^ +Start ' $(1)/tests.log; exit 1; }
	@grep -E 'tests passed|^Total Test time' $(1)/tests.log
endef

.PHONY: all demo test python python-interop wheel sanitized fuzz pgmpy peers bench bench-tables bench-scores \
  bench-experiments bench-published bench-scale \
  web web-test static release asan tsan dev clang check fmt clean help
all:
	@tools/install $(BASE_PACKAGES)
	$(node)
	$(clp)
	$(call build,release,build,agon)

DEMO := build/agon discover sachs-experiments --truth sachs --out build/demo --quiet
demo: all
	@echo '$$ $(DEMO)'
	@$(DEMO)

test:
	@tools/install $(TEST_PACKAGES)
	$(node)
	$(clp)
	$(call build,release,build,agon_tests)
	$(call run_tests,build)
	@SEED=1 $(MAKE) --no-print-directory python sanitized fuzz $(if $(shell command -v em++),web-test BROWSERS=chromium)

# The Python package over the libraries of build/, and its tests. Python is the one that Debian's packages are for.
PYTHON_VENV := build/python-venv
define python_package
	@tools/install python3-venv python3-dev
	@[ -x $(PYTHON_VENV)/bin/python ] || /usr/bin/python3 -m venv $(PYTHON_VENV)
	@$(PYTHON_VENV)/bin/pip install --quiet --disable-pip-version-check -r python/tests/requirements.txt
	@CMAKE_ARGS="-DAGON_LIBRARIES=$(CURDIR)/build $(LAUNCHER)" $(PYTHON_VENV)/bin/pip install --quiet \
	  --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall --config-settings=build-dir=build/python .
endef
python: all
	$(python_package)
	@AGON_BINARY=build/agon $(PYTHON_VENV)/bin/python -B -m pytest -q -p no:cacheprovider

# The tests beside other packages again, with Ray, which is too heavy for every `make test`, and on published tables.
python-interop: all
	$(python_package)
	@$(PYTHON_VENV)/bin/pip install --quiet --disable-pip-version-check -r python/tests/requirements-interop.txt
	@$(PYTHON_VENV)/bin/pip install --quiet --disable-pip-version-check --no-deps -r python/tests/requirements-tables.txt
	@$(PYTHON_VENV)/bin/python -B -m pytest -q -p no:cacheprovider python/tests/interop

# A wheel for others: it holds everything that is not part of every Linux, so nothing of build/ serves.
wheel:
	@tools/install $(BASE_PACKAGES) python3-venv python3-dev
	$(node)
	@[ -x $(PYTHON_VENV)/bin/python ] || /usr/bin/python3 -m venv $(PYTHON_VENV)
	@CMAKE_ARGS="-DAGON_LIBRARIES= $(LAUNCHER)" $(PYTHON_VENV)/bin/pip wheel --quiet --disable-pip-version-check --no-deps -w build/wheels .
	@ls build/wheels/*.whl

# The whole suite under the sanitizers is make asan; this is the part of it that reads files, in the build of make fuzz.
SANITIZED := base parquet data graph
sanitized:
	@tools/install $(TEST_PACKAGES) $(FUZZ_PACKAGES)
	$(call build,fuzz,build-fuzz,agon_sanitized)
	@for folder in $(SANITIZED); do \
	  RC_PARAMS=seed=1 build-fuzz/$${folder}_sanitized --gtest_brief=1 >build-fuzz/$$folder.log 2>&1 \
	    || { cat build-fuzz/$$folder.log; exit 1; }; \
	done
	@echo 'tests of $(SANITIZED): clean under the address and undefined-behaviour sanitizers'

fuzz:
	@tools/install $(FUZZ_PACKAGES)
	$(call build,fuzz,build-fuzz,agon_fuzz)
	@tools/fuzz build-fuzz $(SECONDS)

# pgmpy and what it needs take half a gigabyte, so this is not part of `make test`.
pgmpy: all
	@tools/install python3-venv
	@[ -x build/venv/bin/python ] || /usr/bin/python3 -m venv build/venv
	@build/venv/bin/python -c 'import pgmpy' 2>/dev/null || build/venv/bin/pip install --quiet pgmpy
	@build/venv/bin/python -B tests/python/pgmpy_test.py build/agon

# Peers from PyPI beside agon, one virtual environment each; gcastle asks for torch, and all of them take 8 gigabytes.
PEERS := causal-learn,lingam,pgmpy,xges,gcastle
CAP := 60
peers: all
	@tools/install python3-venv
	@/usr/bin/python3 -B bench/peers/run.py --agon build/agon --venvs build/peers-venv --out build/peers --cap $(CAP) \
	  --peers $(PEERS) $(if $(DATA_DIR),--data-dir '$(DATA_DIR)') $(if $(DATA),--data $(DATA))

bench:
	@tools/install $(BASE_PACKAGES)
	$(call build,release,build,agon_bench)
	@tools/bench build

# Simulated tables of both kinds and with missing cells; with Java also Tetrad's.
ONLY := families,missing,gaussian,tetrad
bench-tables: all
	@tools/install python3-venv
	@[ -x build/venv/bin/python ] || /usr/bin/python3 -m venv build/venv
	@build/venv/bin/python -c 'import numpy' 2>/dev/null || build/venv/bin/pip install --quiet numpy
	@build/venv/bin/python -B bench/tables/run.py --agon build/agon --out build/tables --only $(ONLY) \
	  $(if $(GRAPHS),--graphs $(GRAPHS))

# How cost grows with the number of variables, beside Tetrad and XGES.
SIZES := 500,1000,2000,5000,10000
SCALE = /usr/bin/python3 -B bench/scale/scale.py --agon build/agon --draw build/wide_table --venvs build/peers-venv \
  --out build/scale --cap $(if $(filter command,$(origin CAP)),$(CAP),600)
bench-scale: all
	@tools/install python3-venv
	$(call build,release,build,wide_table)
	@$(SCALE) --sizes $(SIZES)
	@$(SCALE) --kind categories --sizes $(if $(filter command,$(origin SIZES)),$(SIZES),500$(comma)1000$(comma)2000)

# The published agent as published, on the authors' tables: DATA/NAME/data.csv with truth.csv. TABLES=asia,lucas: some.
bench-published: all
	@[ -n "$(DATA)" ] || { echo 'DATA=DIR must name the folder of the tables: bench/published/README.md' >&2; exit 2; }
	@python3 -B bench/published/run.py --agon build/agon --data $(DATA) $(if $(TABLES),--only $(TABLES))

# Which score is nearest to the truth: the tables at the end of docs/results/scores.md. NETWORKS: a folder of NAME.bif to
# take beside the embedded networks; FORM=: all sizes and twenty samples, a day.
FORM := --quick
bench-scores: all
	@build/agon bench --suite scores $(FORM) $(if $(NETWORKS),--data-dir '$(NETWORKS)') --out build/scores >/dev/null
	@sed -i '/^<!-- tables -->/q' docs/results/scores.md
	@cat build/scores/scores.md >>docs/results/scores.md

# Tables of observation and experiments, beside gies, causaldag and causal-learn from PyPI in an environment of their own.
EXPERIMENTS := treatments,peers,contexts,sachs
bench-experiments: all
	@tools/install python3-venv python3-dev
	@[ -x build/experiments-venv/bin/python ] || /usr/bin/python3 -m venv build/experiments-venv
	@build/experiments-venv/bin/python -c 'import gies, causaldag, causallearn' 2>/dev/null || build/experiments-venv/bin/pip install \
	  --quiet --disable-pip-version-check -r bench/experiments/requirements.txt
	@CMAKE_ARGS="-DAGON_LIBRARIES=$(CURDIR)/build $(LAUNCHER)" build/experiments-venv/bin/pip install --quiet \
	  --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall --config-settings=build-dir=build/python .
	@build/experiments-venv/bin/python -B bench/experiments/run.py --agon build/agon --out build/experiments \
	  --only $(EXPERIMENTS) $(if $(GRAPHS),--graphs $(GRAPHS))

# agon in a browser: one page, build/web/agon.html. Its tests are make web-test, which make test runs where Emscripten is.
WEB_PACKAGES := emscripten cmake ninja-build libeigen3-dev libfmt-dev nlohmann-json3-dev libfast-float-dev nodejs npm
web:
	@tools/install $(filter-out $(if $(shell command -v npm),nodejs npm),$(WEB_PACKAGES))
	@tools/web build-web build/web

# Not every browser can suspend WebAssembly; the last test is of how Stop works without that (web/app/worker.ts).
BROWSERS := chromium firefox
PAGE_TEST = tests/browser/run build/agon build/browser page_test.mjs "$(CURDIR)/build/web/agon.html"
web-test: export AGON_SOURCE = $(CURDIR)
web-test: all web
	@tools/install $(patsubst firefox,firefox-esr,$(BROWSERS))
	@tests/browser/run build/agon build/browser engine_test.mjs "$(CURDIR)/build-web/web/engine"
ifneq ($(filter chromium,$(BROWSERS)),)
	@$(PAGE_TEST) $(if $(SHOTS),"$(abspath $(SHOTS))")
endif
ifneq ($(filter firefox,$(BROWSERS)),)
	@AGON_BROWSER=firefox $(PAGE_TEST)
	@AGON_BROWSER=firefox AGON_SUSPEND=no AGON_ONLY=asia,stop $(PAGE_TEST)
endif

static:
	@tools/install $(BASE_PACKAGES)
	$(node)
	$(call build,static,build-static,agon)
	@ls -lh build-static/agon | awk '{print "build-static/agon: " $$5 ", one static executable"}'

# What a release ships, in build/release with checksums, tried as README tells in an environment of its own.
release: wheel static
	@tools/release "$$(ls -t build/wheels/*.whl | head -n 1)" build-static/agon build/release

dev asan tsan clang:
	@tools/install $(TEST_PACKAGES) $(filter clang,$@)
	$(node)
	$(call build,$@,build-$@,agon_tests)
	$(call run_tests,build-$@)

check:
	@tools/check

fmt:
	@tools/install clang-format
	@tools/fmt

clean:
	rm -rf build build-dev build-asan build-tsan build-clang build-fuzz build-static build-web

help:
	@echo 'make            build Release; the binary is build/agon'
	@echo 'make demo       build it, then find the causal graph of nine real experiments; ends with the path of its report'
	@echo 'make test       build and run every test, then make python, make sanitized and make fuzz'
	@echo 'make python     build the Python package into build/python-venv and run its tests (part of make test)'
	@echo 'make python-interop  its tests beside DoWhy, causal-learn, Dask, Ray, and on 150 tables that PyPI packages carry'
	@echo 'make wheel      build/wheels/agon_causal-*.whl'
	@echo 'make sanitized  tests of the readers (part of make test) under the address and undefined-behaviour sanitizers'
	@echo 'make fuzz       broken input for every reader and the game; SECONDS=600 spends 10 minutes on each'
	@echo 'make pgmpy      read the fitted networks agon writes with pgmpy (installs it; half a gigabyte)'
	@echo 'make peers      run programs of others beside agon (installs them; 8 gigabytes): bench/peers/README.md'
	@echo 'make bench      build and run the timing programs'
	@echo 'make bench-tables  SHDs on simulated tables of both kinds and with gaps (an hour): bench/tables/README.md'
	@echo 'make bench-scores  which score is nearest to the truth, on known networks (10 minutes): docs/results/scores.md'
	@echo 'make bench-scale  how cost grows with the number of variables, beside Tetrad and XGES (hours): bench/scale/README.md'
	@echo 'make bench-experiments  SHDs on tables of experiments, beside gies, causaldag and causal-learn (40 minutes): bench/experiments/README.md'
	@echo 'make bench-published DATA=DIR  the published agent to its end (hours): bench/published/README.md'
	@echo 'make web        agon in a browser: build/web/agon.html (installs Emscripten): docs/browser.md'
	@echo 'make web-test   build it and test it in Chromium and Firefox; SHOTS=docs makes the pictures of docs/browser.md again'
	@echo 'make static     one static executable, build-static/agon'
	@echo 'make release    wheel and static executable with checksums in build/release; runs the examples of README from them'
	@echo 'make dev        tests with assertions on and warnings as errors, in build-dev/'
	@echo 'make asan       tests under the address and undefined-behaviour sanitizers, in build-asan/'
	@echo 'make tsan       tests under the thread sanitizer, in build-tsan/'
	@echo 'make clang      tests of a Release build by clang, in build-clang/'
	@echo 'make check      what a change must pass: folder order, formatting, make dev'
	@echo 'make fmt        format the sources'
	@echo 'make clean      remove the build folders'
	@echo
	@echo 'Missing Debian packages are installed by name (as root, or with sudo). Examples:'
	@echo '  make demo'
	@echo '  make && build/agon run tabu alarm --rows 5000'
	@echo '  make test && ctest --test-dir build -R Csv     # all tests, then those about CSV again'
