# Shared by run.sh and openspiel.sh; sourced, not run.
# shellcheck shell=bash
# The script that sources this sets `here` to this folder.
root=$(cd "${here:?}/../.." && pwd)
work=$root/target/peers
mkdir -p "$work"
core=${CORE:-$(($(nproc) - 1))}

# Runs a command on one core, where that can be asked for.
pinned() {
  if command -v taskset >/dev/null 2>&1; then taskset -c "$core" "$@"; else "$@"; fi
}

# The machine, its load and the versions, as one JSON line.
machine_line() {
  local model
  model=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | head -n 1)
  printf '{"machine": "%s", "cores": %s, "core": %s, "load": "%s", "system": "%s", "compiler": "%s", "python": "%s", "date": "%s", "command": "%s"}\n' \
    "${model:-$(uname -m)}" "$(nproc)" "$core" "$(cut -d ' ' -f 1-3 /proc/loadavg 2>/dev/null || echo unknown)" "$(uname -sr)" \
    "$("${CXX:-g++}" --version 2>/dev/null | head -n 1 || true)" "$("${PYTHON:-python3}" --version 2>&1 || true)" "$(date +%F)" "${1//\"/\\\"}"
}

# count_instructions PEER GAME FEW MANY COMMAND...: COMMAND followed by a number of deals prints how many decisions they had. It runs twice under
# callgrind; the difference leaves out starting up.
count_instructions() {
  local peer=$1 game=$2 few=$3 many=$4 deals collected=() decisions=()
  shift 4
  command -v valgrind >/dev/null 2>&1 || { echo "no valgrind: instructions are not counted" >&2; return 0; }
  for deals in "$few" "$many"; do
    decisions+=("$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="$work/callgrind.log" "$@" "$deals")")
    collected+=("$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$work/callgrind.log")")
  done
  printf '{"peer": "%s", "game": "%s", "instructions_per_decision": %s}\n' "$peer" "$game" \
    $(((collected[1] - collected[0]) / (decisions[1] - decisions[0])))
}
