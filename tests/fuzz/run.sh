#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Fuzzes targets of a build folder: run.sh BUILD SECONDS [TARGET]... Inputs found are kept
# in BUILD/fuzz/TARGET; an input that fails is saved as tests/fuzz/corpus/TARGET/crash-….
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1 seconds=$2
shift 2
[ $# -gt 0 ] || set -- $(ls "$here/corpus")

dictionary() {
    case $1 in
    config) echo config ;;
    listing_text) echo listing ;;
    *) echo json ;;
    esac
}

seeds() {
    case $1 in
    config) echo "$here/../data/config/bad" "$here/../data/config/good" ;;
    file_sd | keys | query | region_name | row_key) ;;
    *) echo "$here"/../data/captures/hbase-* ;;
    esac
}

status=0
for target in "$@"; do
    found=$build/fuzz/$target
    log=$found.log
    mkdir -p "$found"
    # shellcheck disable=SC2046
    if "$build/tests/fuzz/fuzz-$target" -max_total_time="$seconds" -timeout=10 \
        -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
        -dict="$here/dictionaries/$(dictionary "$target").dict" \
        -artifact_prefix="$here/corpus/$target/" \
        "$found" "$here/corpus/$target" $(seeds "$target") >"$log" 2>&1; then
        verdict=ok
    else
        verdict=FAILED status=1
    fi
    printf '%-14s %s, %s inputs, %s covered edges\n' "$target" "$verdict" \
        "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" \
        "$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -1)"
    [ "$verdict" = ok ] || tail -n 30 "$log"
done
exit $status
