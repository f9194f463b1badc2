#!/usr/bin/env bash
# Programs that judge what this one writes: tshark and scapy for captures, protoc for timelines,
# Chromium for pages, pandas, DuckDB and Polars for results. Tests skip what is missing, so that they
# pass on any machine; on Debian as root it is installed, and what Debian does not have goes to
# .ci/.tools where a package registry has it.
set -euo pipefail
cd "$(dirname "$0")"
missing=()
command -v tshark >/dev/null || missing+=(tshark)
command -v protoc >/dev/null || missing+=(protobuf-compiler)
/usr/bin/python3 -c 'import scapy.contrib.roce' 2>/dev/null || missing+=(python3-scapy)
/usr/bin/python3 -c 'import pandas' 2>/dev/null || missing+=(python3-pandas)
command -v chromium >/dev/null || missing+=(chromium)
if [ ${#missing[@]} -gt 0 ]; then
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
		echo "not installed, so their tests are skipped: ${missing[*]}"
	else
		echo "== installing ${missing[*]}"
		apt-get update -q >/dev/null
		DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
			"${missing[@]}" >/dev/null
	fi
fi

# DuckDB and Polars, for Python where pip can, else DuckDB for Node.js where npm can.
if ! [ -d .tools ]; then
	mkdir .tools
	python3 -m venv .tools/venv 2>/dev/null &&
		.tools/venv/bin/pip install -q --retries 0 --timeout 20 duckdb pandas polars 2>/dev/null ||
		echo "pip cannot install DuckDB and Polars: snippets of Polars are skipped"
	.tools/venv/bin/python -c 'import duckdb' 2>/dev/null ||
		npm install --silent --no-audit --no-fund --prefix .tools/node @duckdb/node-api@1.5.6-r.1 ||
		echo "npm cannot install DuckDB: its snippets are skipped"
fi
