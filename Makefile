# `make help` lists the targets. Each target installs the Debian packages it lacks, configures once, and builds only what
# changed. The work itself is CMake's (CMakeLists.txt, CMakePresets.json); this file only saves the typing.

BASE_PACKAGES  := g++ cmake ninja-build libeigen3-dev libfmt-dev libcli11-dev nlohmann-json3-dev libfast-float-dev
TEST_PACKAGES  := $(BASE_PACKAGES) libgtest-dev librapidcheck-dev chromium graphviz python3-networkx python3-jsonschema

FUZZ_PACKAGES  := $(BASE_PACKAGES) clang libclang-rt-14-dev

# How long `make fuzz` spends on each target; `make test` ends with as much.
SECONDS := 60

LAUNCHER := $(if $(shell command -v ccache),-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)

# Node bundles the script of report.html. Without it the build goes on, and reports are plain pages of tables.
define node
	@command -v npm >/dev/null 2>&1 || tools/install nodejs npm || echo 'without Node: report.html will be plain' >&2
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

.PHONY: all demo test fuzz pgmpy peers bench static asan tsan dev check fmt clean help
all:
	@tools/install $(BASE_PACKAGES)
	$(node)
	$(call build,release,build,agon)

DEMO := build/agon discover sachs --truth sachs --out build/demo --quiet
demo: all
	@echo '$$ $(DEMO)'
	@$(DEMO)

test:
	@tools/install $(TEST_PACKAGES)
	$(node)
	$(call build,release,build,agon_tests)
	$(call run_tests,build)
	@$(MAKE) --no-print-directory fuzz

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

static:
	@tools/install $(BASE_PACKAGES)
	$(node)
	$(call build,static,build-static,agon)
	@ls -lh build-static/agon | awk '{print "build-static/agon: " $$5 ", one static executable"}'

dev asan tsan:
	@tools/install $(TEST_PACKAGES)
	$(node)
	$(call build,$@,build-$@,agon_tests)
	$(call run_tests,build-$@)

check:
	@tools/check

fmt:
	@tools/install clang-format
	@tools/fmt

clean:
	rm -rf build build-dev build-asan build-tsan build-fuzz build-static

help:
	@echo 'make            build Release; the binary is build/agon'
	@echo 'make demo       build it, then find the causal graph of the Sachs data; ends with the path of its report'
	@echo 'make test       build and run every test, then make fuzz'
	@echo 'make fuzz       broken input for every reader and the game; SECONDS=600 spends 10 minutes on each'
	@echo 'make pgmpy      read the fitted networks agon writes with pgmpy (installs it; half a gigabyte)'
	@echo 'make peers      run programs of others beside agon (installs them; 8 gigabytes): bench/peers/README.md'
	@echo 'make bench      build and run the timing programs'
	@echo 'make static     one static executable, build-static/agon'
	@echo 'make dev        tests with assertions on and warnings as errors, in build-dev/'
	@echo 'make asan       tests under the address and undefined-behaviour sanitizers, in build-asan/'
	@echo 'make tsan       tests under the thread sanitizer, in build-tsan/'
	@echo 'make check      what a change must pass: folder order, formatting, make dev'
	@echo 'make fmt        format the sources'
	@echo 'make clean      remove the build folders'
	@echo
	@echo 'Missing Debian packages are installed by name (as root, or with sudo). Examples:'
	@echo '  make demo'
	@echo '  make && build/agon run tabu alarm --rows 5000'
	@echo '  make test && ctest --test-dir build -R Csv     # all tests, then those about CSV again'
