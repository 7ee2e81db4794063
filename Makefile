# make demo   install clang, build, run an example: the first five minutes
# make test   install what is missing, then every check and test
# make bench  the speed of emulation and analysis
# make book   the manual, in target/book

CARGO ?= cargo
# The cheapest build that is quick enough for an example; `cargo install --path crates/brownout`
# makes the fast one.
BROWNOUT = $(CARGO) run --quiet --profile demo --package brownout --

# What the tool needs, and what its tests need in addition: packages of Debian and Ubuntu.
TOOL_NEEDS := clang-22 libc6-dev
TESTS_NEED := csmith libcsmith-dev chromium parallel z3

.PHONY: setup setup-tool demo test bench book

setup-tool: PACKAGES = $(TOOL_NEEDS)
setup: PACKAGES = $(TOOL_NEEDS) $(TESTS_NEED)

# Asks for the network only if something is missing.
setup setup-tool:
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

test: export BROWNOUT_REQUIRE_CSMITH := 1
test: setup
	$(CARGO) fmt --all --check
	$(CARGO) xtask dependencies
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps
	$(CARGO) test --workspace

bench: setup-tool
	$(CARGO) bench --package brownout --bench emulation --bench analysis --bench taint

book:
	$(CARGO) run --quiet --manifest-path crates/book/Cargo.toml --target-dir target/mdbook -- docs target/book
