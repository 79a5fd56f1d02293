# The two commands of the README are `make demo` and `make test`. Everything they need goes into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# What packages without a ready wheel are built with: ours, and those for tests and benchmarks that come as source.
BUILD_TOOLS := "scikit-build-core>=0.11" "nanobind>=2.9" "cmake>=3.26" "ninja>=1.11" "setuptools>=70.1" "wheel>=0.43"
SOURCES := pyproject.toml CMakeLists.txt $(shell find core -name '*.[ch]pp')

.PHONY: demo test bench lint format sanitize docs wheel check-wheel clean FORCE

demo: $(VENV)/built
	$(BIN)/pentaglot demo

test: $(VENV)/built lint docs
	$(BIN)/python -m pytest -n auto

bench: $(VENV)/built $(VENV)/bench-tools
	$(BIN)/python -m bench $(ROOMS)

lint: $(VENV)/built
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $$(find core -name '*.[ch]pp')
	$(BIN)/mypy

format: $(VENV)/built
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $$(find core -name '*.[ch]pp')

# The whole core under AddressSanitizer and UndefinedBehaviorSanitizer, in an environment of its own. The interpreter
# itself is not instrumented, so the sanitizer's library has to be loaded before it.
SANITIZED := ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:allocator_may_return_null=1 \
  UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 PYTHONMALLOC=malloc \
  LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so.6)"

sanitize: $(VENV)-sanitize/built
	$(SANITIZED) $(VENV)-sanitize/bin/python -m pytest -p no:cacheprovider -n auto -m "not slow" tests

docs: $(VENV)/built
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# A source archive and a wheel; the wheel takes what is already compiled. check-wheel sees that the archive is complete.
wheel: $(VENV)/built
	rm -rf dist
	$(BIN)/python -m build --no-isolation --sdist
	$(BIN)/python -m build --no-isolation --wheel --config-setting=cmake.define.PENTAGLOT_WERROR=ON

# The wheel in a fresh environment, away from the source tree: the commands of the tutorial must work there.
check-wheel: wheel
	rm -rf $(VENV)-wheel
	$(PYTHON) -m venv $(VENV)-wheel
	$(VENV)-wheel/bin/python -m pip install --quiet dist/*.whl
	$(BIN)/python tests/installed.py $(VENV)-wheel/bin dist/*.tar.gz

clean:
	rm -rf $(VENV) $(VENV)-sanitize $(VENV)-wheel build dist site

# The names of all modules, renewed only when one comes or goes: an editable install has to learn of new files.
$(VENV)/modules: FORCE
	@mkdir -p $(VENV)
	@find src -name '*.py' | sort | cmp --silent - $@ || find src -name '*.py' | sort > $@

$(VENV)/tools: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet $(BUILD_TOOLS)
	touch $@

$(VENV)/built: $(VENV)/tools $(VENV)/modules $(SOURCES)
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable ".[dev]" --config-settings=cmake.define.PENTAGLOT_WERROR=ON
	touch $@

$(VENV)/bench-tools: $(VENV)/built
	$(BIN)/python -m pip install --quiet "cython>=3"  # eflomal comes as source that needs it
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable ".[dev,bench]"
	touch $@

$(VENV)-sanitize/built: $(VENV)/tools $(SOURCES) $(shell find src -name '*.py')
	test -x $(VENV)-sanitize/bin/python || $(PYTHON) -m venv $(VENV)-sanitize
	$(VENV)-sanitize/bin/python -m pip install --quiet --upgrade pip
	$(VENV)-sanitize/bin/python -m pip install --quiet $(BUILD_TOOLS)
	$(VENV)-sanitize/bin/python -m pip install --quiet --no-build-isolation ".[dev]" \
	  --config-settings=build-dir=build/sanitize --config-settings=cmake.define.PENTAGLOT_SANITIZE=ON
	touch $@
