#!/usr/bin/env bash
# The comparison base for the speed of hoyle's tables: builds and runs what is there, on one core, and prints a table and JSON lines.
#
#   run.sh [--json] [--quick] [--no-openspiel] [--instructions] [--hoyle FILE]
#
#   --json           JSON lines alone
#   --quick          one second a line instead of three
#   --no-openspiel   only what needs no package registry
#   --instructions   count instructions per decision too, with callgrind, which a busy machine does not disturb
#   --hoyle FILE     take hoyle's own lines from what its bench printed before, instead of running it
#
# The hook for hoyle: where Cargo.toml has a bench named `table`, `cargo bench --bench table` is run, pinned like the rest, and those of its
# lines that begin with `{"peer": "hoyle` are taken over; they have the keys of the others: game, decisions_per_second, and, where known,
# decisions_per_second_without_dealing and instructions_per_decision. Everything else that the bench prints is for its own readers.
# A peer that cannot be run is named on standard error and left out; the exit code is then 3, and 1 if something of ours fails.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
command="benches/peers/$(basename "$0") $*"
# shellcheck source=benches/peers/common.sh
source "$here/common.sh"

json=no seconds=3 openspiel=yes instructions=no hoyle=
while [ $# -gt 0 ]; do
  case $1 in
    --json) json=yes ;;
    --quick) seconds=1 ;;
    --no-openspiel) openspiel=no ;;
    --instructions) instructions=yes ;;
    --hoyle) hoyle=${2:?--hoyle needs a file}; shift ;;
    *) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2 ;;
  esac
  shift
done

lines=$work/run.jsonl
left_out=no
machine_line "$command" >"$lines"

"${CXX:-g++}" -std=c++17 -O3 -march=native -o "$work/whist" "$here/whist.cpp"
pinned "$work/whist" check >&2
pinned "$work/whist" bench "$seconds" >>"$lines"
if [ $instructions = yes ]; then
  # Callgrind does not know every instruction of a new processor.
  flags=(-march=x86-64-v3)
  [ "$(uname -m)" = x86_64 ] || flags=()
  "${CXX:-g++}" -std=c++17 -O3 "${flags[@]}" -o "$work/whist-counted" "$here/whist.cpp"
  for game in whist 'nap(players=2)' 'nap(players=3)' 'nap(players=4)' 'nap(players=5)'; do
    for style in framework buffer bone; do
      count_instructions "by-hand-$style" "$game" 1000 11000 "$work/whist-counted" deals "$game" "$style" >>"$lines"
    done
  done
fi

if [ $openspiel = yes ]; then
  options=(--json --cpp --seconds "$seconds")
  [ $instructions = no ] || options+=(--instructions)
  code=0
  "$here/openspiel.sh" "${options[@]}" >"$work/openspiel.out" || code=$?
  grep '^{"peer"' "$work/openspiel.out" >>"$lines" || true
  [ $code = 0 ] || { echo "run.sh: OpenSpiel left out, wholly or in part (openspiel.sh ended with $code)" >&2; left_out=yes; }
fi

if [ -z "$hoyle" ] && grep -qx 'name = "table"' "$root/Cargo.toml"; then
  hoyle=$work/hoyle.out
  (cd "$root" && pinned cargo bench --quiet --bench table) >"$hoyle"
fi
if [ -n "$hoyle" ]; then
  grep '^{"peer": "hoyle' "$hoyle" >>"$lines" || { echo "run.sh: no lines of hoyle's in $hoyle" >&2; exit 1; }
else
  echo "run.sh: no bench named table yet; hoyle itself is left out" >&2
fi

[ $json = yes ] || "${PYTHON:-python3}" "$here/table.py" "$lines"
cat "$lines"
[ $left_out = no ] || exit 3
