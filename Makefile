# Targets for people who change the simulator. Running it needs only: go run ./cmd/sdrsim
GO ?= go
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
COUNT ?= 6
BENCHTIME ?= 1s
BENCH ?= .
PERFORMANCE = results/performance

# The scenarios whose results are committed: about six minutes on two cores.
RESULTS = quickstart jitter network/shared-border transports/reordering \
	$(patsubst scenarios/%.yaml,%,$(sort $(wildcard scenarios/workloads/*.yaml))) \
	$(patsubst scenarios/%.yaml,%,$(sort $(wildcard scenarios/paper/*.yaml)))

.PHONY: all build test check race bench bench-quick performance results validation notebooks lint fmt

all: lint test

build:
	$(GO) build -o bin/sdrsim ./cmd/sdrsim

# Every test; ends in "N passed, N failed".
test:
	@$(GO) test -json ./... 2>&1 | $(GO) run .ci/summary.go $(if $(COUNTS),-counts $(COUNTS))

# The schemes against their committed baselines (docs/check.md).
check:
	$(GO) run ./cmd/sdrsim check scenarios/regression/*.yaml

# What starts goroutines, under the race detector (needs a C compiler).
race:
	CGO_ENABLED=1 $(GO) test -race ./internal/sweep/...

# Every benchmark, one after the other, in the format that benchstat reads: half an hour.
# BENCH picks by name, COUNT and BENCHTIME say how often and how long each is run.
bench:
	@$(GO) test -p 1 -run '^$$' -bench '$(BENCH)' -benchmem -benchtime $(BENCHTIME) \
		-count $(COUNT) ./...

# The same in two minutes: what a change costs, roughly.
bench-quick:
	@$(MAKE) --no-print-directory bench BENCHTIME=20ms COUNT=1

# Measure everything that docs/performance.md says, and write its tables and figures anew; some
# fifteen minutes of a machine that does nothing else.
performance:
	$(GO) build -buildvcs=true -o bin/sdrsim ./cmd/sdrsim
	bin/sdrsim bench scaling -q -o $(PERFORMANCE)/scaling
	bin/sdrsim bench sweep scenarios/performance/fig9-full.yaml --samples 8 --rounds 4 -q \
		-o $(PERFORMANCE)/sweep-fig9-full
	bin/sdrsim bench sweep scenarios/performance/ten-thousand.yaml -q \
		-o $(PERFORMANCE)/sweep-ten-thousand
	bin/sdrsim bench codec -q -o $(PERFORMANCE)/codec
	$(GO) test -p 1 -run '^$$' -bench . -benchmem -benchtime 100ms -count 3 ./... \
		>$(PERFORMANCE)/bench.txt
	$(GO) test ./docs -run TestPerformancePageIsWhatWasMeasured -update

# Run the scenarios of the committed results again; git status stays clean if they reproduce.
results: build
	@for name in $(RESULTS); do bin/sdrsim run -q scenarios/$$name.yaml || exit 1; done
	git status --short results

# Write docs/validation.md from the committed results.
validation:
	$(GO) test ./internal/tools/validation -run TestPageIsWhatResultsSay -update

# Execute the notebooks on the committed results.
notebooks:
	notebooks/run.sh

lint:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...

fmt:
	gofmt -w $$(git ls-files '*.go')
