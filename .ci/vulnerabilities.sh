#!/usr/bin/env bash
# govulncheck over the database of the Go team, both from the module proxy alone.
set -euo pipefail
cd "$(dirname "$0")/.."
found=$(mktemp)
trap 'rm -f "$found"' EXIT
database=$(cd / && go mod download -json golang.org/x/vulndb@latest |
	sed -n 's/^\t"Dir": "\(.*\)",*$/\1/p')
go run golang.org/x/vuln/cmd/govulncheck@v1.9.0 -format json -db "file://$database/data/osv" \
	./cmd/sdrsim >"$found"
cd .ci/dependencies
go run . -vulnerabilities "$found"
