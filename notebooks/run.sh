#!/usr/bin/env bash
# Execute every notebook, or those named, on the results in ../results (or $RESULTS). A failing
# assert fails the run. The pages go to $OUT, by default a temporary folder that is removed.
#
#     notebooks/run.sh [NAME.ipynb...]
set -euo pipefail
cd "$(dirname "$0")"
exec </dev/null
export PYDEVD_DISABLE_FILE_VALIDATION=1 PYTHONDONTWRITEBYTECODE=1

# The Python of Debian, which has the packages.
python=/usr/bin/python3
needs="import nbconvert, ipykernel, pandas, matplotlib"
if ! $python -c "$needs" 2>/dev/null; then
	echo "installing Jupyter and pandas"
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
		jupyter-nbconvert python3-ipykernel python3-pandas python3-matplotlib >/dev/null
fi

out=${OUT:-}
if [ -z "$out" ]; then
	out=$(mktemp -d)
	trap 'rm -rf "$out"' EXIT
fi

passed=0
failed=0
if [ $# -eq 0 ]; then set -- *.ipynb; fi
for notebook in "$@"; do
	if grep -q '"execution_count": [0-9]' "$notebook"; then
		echo "FAILED: $notebook is committed with outputs; clear them"
		failed=$((failed + 1))
	elif $python -m nbconvert --log-level=ERROR --to html --execute --output-dir "$out" "$notebook"; then
		echo "passed: $notebook"
		passed=$((passed + 1))
	else
		echo "FAILED: $notebook"
		failed=$((failed + 1))
	fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
