# make demo   install what is missing, build, run an example
# make test   install what is missing, then every check and test
# make bench  the speed of emulation and analysis
# make book   the manual, in target/book

CARGO ?= cargo
BROWNOUT = $(CARGO) run --quiet --release --package brownout --

# What has to be there, and the packages that bring it.
NEEDED := clang-22 csmith libcsmith-dev libc6-dev chromium parallel z3

.PHONY: setup demo test bench book

# Asks for the network only if something is missing.
setup:
	@missing=""; \
	for package in $(NEEDED); do \
	    dpkg-query -W -f '$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$package"; \
	done; \
	if [ -n "$$missing" ]; then \
	    echo "installing:$$missing"; \
	    as_root=""; [ "$$(id -u)" = 0 ] || as_root=sudo; \
	    $$as_root apt-get update -q && \
	    DEBIAN_FRONTEND=noninteractive $$as_root apt-get install -q -y --no-install-recommends $$missing; \
	fi

demo: setup
	$(CARGO) build --release --package brownout
	$(BROWNOUT) run examples/hello/sense.c
	$(BROWNOUT) check examples/sense/sense.c || [ $$? = 1 ]
	$(BROWNOUT) check examples/sense/repaired.c

test: export BROWNOUT_REQUIRE_CSMITH := 1
test: setup
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps
	$(CARGO) test --workspace

bench: setup
	$(CARGO) bench --package brownout --bench emulation --bench analysis --bench taint

book:
	$(CARGO) run --quiet --manifest-path crates/book/Cargo.toml --target-dir target/mdbook -- docs target/book
