#!/usr/bin/env bash
# Programs that judge what this one writes: tshark and scapy for captures, protoc for timelines,
# Chromium for report.html. Tests skip what is missing, so that they pass on any machine; on Debian as
# root it is installed.
set -euo pipefail
missing=()
command -v tshark >/dev/null || missing+=(tshark)
command -v protoc >/dev/null || missing+=(protobuf-compiler)
/usr/bin/python3 -c 'import scapy.contrib.roce' 2>/dev/null || missing+=(python3-scapy)
command -v chromium >/dev/null || missing+=(chromium)
[ ${#missing[@]} -gt 0 ] || exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
	echo "not installed, so their tests are skipped: ${missing[*]}"
	exit 0
fi
echo "== installing ${missing[*]}"
apt-get update -q >/dev/null
DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" >/dev/null
