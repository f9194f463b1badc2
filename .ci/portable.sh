#!/usr/bin/env bash
# Results are the same bytes whatever the processor can do: a plain and an accelerated scenario are
# run by the usual build, by the same without fused multiply-add and AVX2, and by one for GOAMD64=v3,
# where the compiler fuses products and sums. Images are left out: the library draws letters in
# floating point, and a pixel may differ by one shade.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$(go env GOARCH)" != amd64 ]; then
	echo "not an amd64: skipped"
	exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/plain.yaml" <<'YAML'
# Question: do all builds write the same bytes?
name: plain
link: {bandwidth: 400Gbps, rtt: 25ms, loss: {model: iid, p: 1e-4}}
message: {size: 4MiB}
schemes: [sr-rto, sr-nack, {name: ec-mds, k: 32, m: 8}]
sweep:
  link.loss.p: {from: 1e-6, to: 1e-3, points: 7, scale: log}
samples: 100
figures:
  - {kind: line, x: link.loss.p, y: completion, stat: mean}
  - {kind: line, x: link.loss.p, y: speedup, over: sr-rto, stat: mean, style: paper}
YAML
sed 's/^name: plain/name: accelerated/; s/^samples: 100/samples: 96\nacceleration: {tilt: 4}/' \
	"$work/plain.yaml" >"$work/accelerated.yaml"

# results NAME PROGRAM: what the program makes of both, in a folder of that name.
results() {
	local scenario
	for scenario in plain accelerated; do
		"$2" run -q "$work/$scenario.yaml" -o "$work/$1/$scenario" 2>/dev/null
		"$2" model "$work/$scenario.yaml" >"$work/$1/$scenario/model.txt"
	done
	find "$work/$1" \( -name '*.png' -o -name run.json \) -delete
}

go build -o "$work/bin/usual" ./cmd/sdrsim
results reference "$work/bin/usual"
GODEBUG=cpu.fma=off,cpu.avx2=off results unfused "$work/bin/usual"
diff -r "$work/reference" "$work/unfused"
echo "the same without fused multiply-add and AVX2"
if ! grep -qw fma /proc/cpuinfo || ! grep -qw bmi2 /proc/cpuinfo || ! grep -qw avx2 /proc/cpuinfo; then
	echo "this processor lacks what GOAMD64=v3 needs: that build is skipped"
	exit 0
fi
GOAMD64=v3 go build -o "$work/bin/fused" ./cmd/sdrsim
results fused "$work/bin/fused"
diff -r "$work/reference" "$work/fused"
echo "the same with GOAMD64=v3"
