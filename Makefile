# make demo   install clang, build, run an example: the first five minutes
# make test   install what is missing, then every check and test
# make install  the fast build with a solver of its own, for `brownout prove`
# make test-solver  the tests of that solver
# make bench  the speed of emulation and analysis
# make book   the manual, in target/book

CARGO ?= cargo
# The cheapest build that is quick enough for an example; `cargo install --path crates/brownout`
# makes the fast one.
BROWNOUT = $(CARGO) run --quiet --profile demo --package brownout --

# `cargo nextest` keeps all cores busy to the end; without it the same tests take longer.
RUN_TESTS = $(if $(shell $(CARGO) nextest --version 2>/dev/null), \
    $(CARGO) nextest run --workspace && $(CARGO) test --workspace --doc, \
    $(CARGO) test --workspace)

# What the tool needs, and what its tests need in addition: packages of Debian and Ubuntu.
TOOL_NEEDS := clang-22 libc6-dev
TESTS_NEED := csmith libcsmith-dev chromium parallel z3
# What the embedded solver is built from beside what cargo fetches.
SOLVER_NEEDS := g++ libgmp-dev libsymfpu-dev

.PHONY: setup setup-tool setup-solver demo install test test-solver bench book

setup-tool: PACKAGES = $(TOOL_NEEDS)
setup: PACKAGES = $(TOOL_NEEDS) $(TESTS_NEED)
setup-solver: PACKAGES = $(TOOL_NEEDS) $(SOLVER_NEEDS) z3

# Asks for the network only if something is missing.
setup setup-tool setup-solver:
	@missing=""; \
	for package in $(PACKAGES); do \
	    dpkg-query -W -f '$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$package"; \
	done; \
	if [ -n "$$missing" ]; then \
	    echo "installing:$$missing"; \
	    as_root=""; [ "$$(id -u)" = 0 ] || as_root=sudo; \
	    $$as_root apt-get update -q && \
	    DEBIAN_FRONTEND=noninteractive $$as_root apt-get install -q -y --no-install-recommends $$missing; \
	fi

demo: setup-tool
	$(CARGO) build --profile demo --package brownout
	$(BROWNOUT) run examples/hello/sense.c
	$(BROWNOUT) check examples/sense/sense.c || [ $$? = 1 ]
	$(BROWNOUT) check examples/sense/repaired.c

install: setup-solver
	$(CARGO) install --path crates/brownout --features embedded-solver

test-solver: setup-solver
	$(CARGO) test --package brownout-solver --features embedded
	$(CARGO) test --package brownout --features embedded-solver --test prove

test: export BROWNOUT_REQUIRE_CSMITH := 1
test: setup
	$(CARGO) fmt --all --check
	$(CARGO) xtask dependencies
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps
	$(RUN_TESTS)

bench: setup-tool
	$(CARGO) bench --package brownout --bench emulation --bench analysis --bench taint

book:
	$(CARGO) run --quiet --manifest-path crates/book/Cargo.toml --target-dir target/mdbook -- docs target/book
