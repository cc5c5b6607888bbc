#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Speed as a ratio to the page-map limit program, both in one run, because machines are noisy:
#     tests/bench/speed.sh [ROUNDS]
# Write amplification differs a little (superblocks of 16 MiB, a reserve), so sector programs per CPU second are compared;
# reads are compared with the limit's host writes.  Wanted: timed 1/8 (16 GiB) and 1/7 (256 GiB), bare 40%, reads 1/5,
# preparation of 256 GiB below 40 s.
# Needs a release build (./ftlab version makes one) and ../shared/tools/bareftl.cpp.
set -eu
here=$(cd -- "$(dirname -- "$0")/../.." && pwd)
limit=$here/../shared/tools/bareftl.cpp
[ -f "$limit" ] || { echo "skipped: $limit is not there"; exit 0; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
g++ -O3 -march=native -std=c++17 "$limit" -o "$scratch/bareftl"

run() { "$here/ftlab" run "$here/scenarios/$1.yaml" --out "$scratch/out" >/dev/null; }
# of_phase PHASE FIELD: a field of a phase in run.json
of_phase() { sed -n "/\"name\": \"$1\"/,/}/s/.*\"$2\": \([0-9.]*\).*/\1/p" "$scratch/out/run.json"; }
measure_limit() {
    "$scratch/bareftl" "$1" 7 "$2" 0.5 >"$scratch/limit"
    limit_host=$(sed -n 's/.* = \([0-9.]*\) M host writes.*/\1/p' "$scratch/limit")
    limit_programs=$(sed -n 's/.* \([0-9.]*\) M sector programs.*/\1/p' "$scratch/limit")
}
# against WHAT RATE LIMIT
against() { awk -v w="$1" -v r="$2" -v l="$3" 'BEGIN { printf "  %-28s %6.2f M/s = %4.1f%% = 1/%.1f\n", w, r / 1e6, r / l / 1e4, l * 1e6 / r }'; }

round=0
while [ "$round" -lt "${1:-1}" ]; do
    round=$((round + 1))
    measure_limit 16 1.5
    echo "16 GiB: the limit makes $limit_host M host writes/s, $limit_programs M sector programs/s"
    run bench-steady-16g
    against "timed, sector programs" "$(of_phase steady sectors_programmed_per_cpu_second)" "$limit_programs"
    against "bare, sector programs" "$(of_phase overwrite sectors_programmed_per_cpu_second)" "$limit_programs"
    run bench-read-16g
    against "timed, 4 KiB random reads" "$(of_phase read host_ios_per_cpu_second)" "$limit_host"
    measure_limit 256 1
    echo "256 GiB: the limit makes $limit_host M host writes/s, $limit_programs M sector programs/s"
    run bench-steady-256g
    against "timed, sector programs" "$(of_phase steady sectors_programmed_per_cpu_second)" "$limit_programs"
    against "bare, sector programs" "$(of_phase overwrite sectors_programmed_per_cpu_second)" "$limit_programs"
    echo "  fill $(of_phase fill cpu_seconds) s, overwrite $(of_phase overwrite cpu_seconds) s, memory" \
        "$(sed -n 's/.*peak_rss_bytes": \([0-9]*\).*/\1/p' "$scratch/out/run.json") B"
done
