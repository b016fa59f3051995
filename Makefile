# `make help` lists the targets. GNU make, a Go toolchain and the network of the
# Go proxy (once) are all that build, test and demo need.

GO       ?= go
TOOL     := $(GO) tool -modfile=go.tool.mod
FUZZTIME ?= 10s
PAGES    := out/demo
# of the benchmarks
BENCHTIME  ?= 200ms
BENCHCOUNT ?= 6
BENCHED    := ./ingest ./runs/... ./analyze ./stat

.DEFAULT_GOAL := build
.PHONY: help build test check vuln demo bench fuzz golden clean

## help: list the targets
help:
	@sed -n 's/^## \([a-z]*\): /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

## build: make bin/headroom, one static binary
build:
	CGO_ENABLED=0 $(GO) build -trimpath -o bin/headroom ./cmd/headroom

## test: run every test (a machine that is busy with other work needs longer than go test's ten minutes)
test:
	$(GO) test -timeout 20m ./...

## check: formatting, vet, staticcheck, the walls between rooms, vulnerabilities
check:
	@test -z "$$(gofmt -l .)" || { echo 'not in gofmt form:'; gofmt -l .; exit 1; }
	$(GO) vet ./...
	$(TOOL) staticcheck ./...
	$(GO) test ./internal/archtest
	@$(MAKE) --no-print-directory vuln

## vuln: known vulnerabilities in what is linked, where the database answers
vuln:
	@said=$$($(TOOL) govulncheck ./... 2>&1); status=$$?; \
	case "$$status $$said" in \
	0*) echo 'no known vulnerability is reached' ;; \
	*'fetching vulnerabilities'*) echo 'not checked: no vulnerability database' ;; \
	*) echo "$$said"; exit $$status ;; \
	esac

## demo: build the documents of examples/, whatever their verdicts
demo: build
	@rm -rf $(PAGES) && mkdir -p $(PAGES) && cp examples/index.html $(PAGES)/
	@for study in examples/*/study.yaml; do \
		name=$$(basename $$(dirname $$study)); \
		bin/headroom report build $$study -q -o $(PAGES)/$$name >/dev/null; status=$$?; \
		test -s $(PAGES)/$$name/index.html || { echo "demo: no page of $$name was written (exit status $$status)"; exit 1; }; \
		echo "$(PAGES)/$$name/index.html (exit status of the document: $$status)"; \
	done
	@echo "all of them: $(PAGES)/index.html (open it in a browser)"

## bench: run the Go benchmarks and compare them with bench/base.txt (BENCHTIME, BENCHCOUNT)
bench:
	@mkdir -p out
	$(GO) test -run '^$$' -bench . -benchmem -benchtime $(BENCHTIME) -count $(BENCHCOUNT) $(BENCHED) | tee out/bench.txt
	@if command -v benchstat >/dev/null; then benchstat bench/base.txt out/bench.txt; \
	else echo 'no comparison: go install golang.org/x/perf/cmd/benchstat@latest'; fi
	@echo 'whole processes beside their peers: bench/compare.sh; cost against work: bench/cost.sh (docs/performance.md)'

## fuzz: a short pass over every fuzz target (FUZZTIME=10s each)
fuzz:
	@grep -ro --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' . | sort | while IFS=: read -r file name; do \
		name=$${name#func }; echo "$$name in $$(dirname $$file)"; \
		$(GO) test "$$(dirname $$file)" -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1s || exit 1; \
	done

## golden: rewrite the golden files; read the diff before you commit it
golden:
	$(GO) test $$($(GO) list -f '{{.ImportPath}} {{join .TestImports " "}} {{join .XTestImports " "}} ' ./... | \
		grep ' headroom/internal/golden ' | cut -d ' ' -f 1) -update

## clean: remove what the other targets made
clean:
	rm -rf bin out
