# Targets for people who change the simulator. Running it needs only: go run ./cmd/sdrsim
GO ?= go
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
COUNT ?= 6

# The scenarios whose results are committed: about twelve minutes on two cores.
RESULTS = quickstart $(patsubst scenarios/%.yaml,%,$(sort $(wildcard scenarios/paper/*.yaml)))

.PHONY: all build test check race bench results validation notebooks lint fmt

all: lint test

build:
	$(GO) build -o bin/sdrsim ./cmd/sdrsim

# Every test; ends in "N passed, N failed".
test:
	@$(GO) test -json ./... 2>&1 | $(GO) run .ci/summary.go $(if $(COUNTS),-counts $(COUNTS))

# The schemes against their committed baselines (docs/check.md).
check:
	$(GO) run ./cmd/sdrsim check scenarios/regression/*.yaml

# The packages that start goroutines, under the race detector (needs a C compiler).
race:
	CGO_ENABLED=1 $(GO) test -race ./internal/sweep/ ./cmd/sdrsim/

# Every benchmark, in the format that benchstat reads.
bench:
	$(GO) test -run '^$$' -bench . -benchmem -count $(COUNT) ./...

# Run the scenarios of the committed results again; git status stays clean if they reproduce.
results: build
	@for name in $(RESULTS); do bin/sdrsim run -q scenarios/$$name.yaml || exit 1; done
	git status --short results

# Write docs/validation.md from the committed results.
validation:
	$(GO) test ./internal/validation -run TestPageIsWhatResultsSay -update

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
