#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Speed as a ratio to the page-map limit program, both in one run, because machines are noisy:
#     tests/bench/speed.sh [ROUNDS]
# Needs a release build (./ftlab version makes one) and ../shared/tools/bareftl.cpp.
set -eu
here=$(cd -- "$(dirname -- "$0")/../.." && pwd)
limit=$here/../shared/tools/bareftl.cpp
[ -f "$limit" ] || { echo "skipped: $limit is not there"; exit 0; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
g++ -O3 -march=native -std=c++17 "$limit" -o "$scratch/bareftl"

# CPU-second rates of one phase of a result, in sectors programmed (steady) or commands.
rate() { sed -n "/\"name\": \"$2\"/,/}/s/.*host_ios_per_cpu_second\": \([0-9.]*\).*/\1/p" "$1/run.json"; }

round=0
while [ "$round" -lt "${1:-3}" ]; do
    round=$((round + 1))
    "$scratch/bareftl" 16 7 1.5 0.5 >"$scratch/limit"
    "$here/ftlab" run "$here/scenarios/bench-steady-16g.yaml" --out "$scratch/out$round" >/dev/null
    host=$(sed -n 's/.* = \([0-9.]*\) M host writes.*/\1/p' "$scratch/limit")
    programs=$(sed -n 's/.* \([0-9.]*\) M sector programs.*/\1/p' "$scratch/limit")
    timed=$(rate "$scratch/out$round" steady)
    bare=$(rate "$scratch/out$round" overwrite)
    awk -v h="$host" -v p="$programs" -v t="$timed" -v b="$bare" 'BEGIN {
        printf "limit %.2f M host writes/s (%.1f M programs/s); timed %.2f M/s = 1/%.1f; bare %.2f M/s = %.0f%%\n",
            h, p, t / 1e6, h / (t / 1e6), b / 1e6, 100 * (b / 1e6) / h }'
done
