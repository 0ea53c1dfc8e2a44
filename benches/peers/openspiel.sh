#!/usr/bin/env bash
# Random play-outs of OpenSpiel's trick games on one core: from Python, out of the public package, and with --cpp also from C++, built from the
# sources that the same package carries (about three minutes the first time). Everything lands in target/peers, which may be thrown away.
#
#   openspiel.sh [--json] [--cpp] [--instructions] [--seconds N]
#
#   --json           JSON lines alone; else a table, then the lines
#   --cpp            the C++ driver too
#   --instructions   with --cpp: also count instructions per decision, with callgrind
#   --seconds N      of processor time for each game (3)
#
# Environment: PYTHON (python3), OPEN_SPIEL (2.0.2, the version to install), CORE (the last one, to be used), CXX (g++).
# Exit codes: 0 measured; 2 misuse; 3 the package has no build for this Python and none from C++ could be made either;
# 4 the package registry cannot be reached; 5 no virtual environment can be made; 1 anything else.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
command="benches/peers/$(basename "$0") $*"
# shellcheck source=benches/peers/common.sh
source "$here/common.sh"

json=no cpp=no instructions=no seconds=3
while [ $# -gt 0 ]; do
  case $1 in
    --json) json=yes ;;
    --cpp) cpp=yes ;;
    --instructions) instructions=yes ;;
    --seconds) seconds=${2:?--seconds needs a number}; shift ;;
    *) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2 ;;
  esac
  shift
done

version=${OPEN_SPIEL:-2.0.2}
# Bridge only plays its cards when it is told not to look the result up. Two-player oh hell is hardly the game; four is added.
games=(euchre hearts spades oh_hell 'oh_hell(players=4)' 'bridge(use_double_dummy_result=false)' skat tarok)

say() { echo "openspiel.sh: $*" >&2; }

venv=$work/venv-$version
python=$venv/bin/python

make_venv() {
  [ -x "$venv/bin/pip" ] || "${PYTHON:-python3}" -m venv "$venv" >&2 || { say "this Python cannot make a virtual environment"; exit 5; }
}

# Runs pip and tells a registry that cannot be reached from one that has nothing fitting: prints nothing, returns 0, 3 or 4.
pip_or_why() {
  local log=$work/pip.log
  if "$venv/bin/pip" --disable-pip-version-check --no-input --retries 1 --timeout 15 "$@" >"$log" 2>&1; then return 0; fi
  if grep -qiE 'connection (broken|refused|reset)|NewConnectionError|name resolution|ConnectTimeout|ReadTimeout|ProxyError|unreachable' "$log"; then return 4; fi
  tail -n 5 "$log" >&2
  return 3
}

from_python() {
  make_venv
  if ! "$python" -c 'import pyspiel' 2>/dev/null; then
    local why=0
    pip_or_why install --only-binary open_spiel "open_spiel==$version" || why=$?
    case $why in
      3) say "open_spiel $version has no build for $("$python" --version) on this machine"; return 3 ;;
      4) say "the package registry cannot be reached; nothing was measured from Python"; return 4 ;;
    esac
  fi
  pinned "$python" "$here/openspiel.py" "$seconds" "${games[@]}"
}

# Objects are made one after another, once each: the machine is shared.
build_cpp() {
  make_venv
  local source=$work/open_spiel-$version out=$work/open_spiel-$version-objects file object why=0
  driver=$work/openspiel-$version
  if [ ! -d "$source" ]; then
    pip_or_why download --no-deps --no-binary open_spiel -d "$work" "open_spiel==$version" || why=$?
    [ $why = 0 ] || { say "no sources of open_spiel $version to be had (pip: $why)"; return $why; }
    tar -xzf "$work/open_spiel-$version.tar.gz" -C "$work" || return 1
  fi
  mkdir -p "$out"
  # For callgrind, which does not know every instruction of a new processor, nothing newer than AVX2 is used: hence not -march=native.
  local flags=(-std=c++20 -O3 -DNDEBUG -march=x86-64-v3 -w "-I$source" "-I$source/open_spiel/abseil-cpp" "-I$source/open_spiel/json/include")
  [ "$(uname -m)" = x86_64 ] || flags[3]=-mtune=native
  (
    cd "$source/open_spiel"
    find abseil-cpp/absl -name '*.cc' | grep -vE 'test|benchmark|mock|_gen\.cc|gentables|print_hash|/flags/|/log/|/status/'
    ls action_view.cc game_parameters.cc observer.cc spiel.cc spiel_utils.cc utils/status.cc utils/usage_logging.cc
    find games/{euchre,hearts,spades,oh_hell,skat,tarok,bridge} \( -name '*.cc' -o -path '*/src/*.cpp' \) ! -name '*_test.cc'
  ) >"$out/list" || return 1
  while read -r file; do
    object=$out/${file//\//_}.o
    [ -f "$object" ] || { nice "${CXX:-g++}" "${flags[@]}" -c "$source/open_spiel/$file" -o "$object.part" && mv "$object.part" "$object"; } || return 1
  done <"$out/list"
  # Abseil goes in as an archive, so that only what is used is linked; the games register themselves and must be linked whole.
  rm -f "$out/abseil.a"
  ar rcs "$out/abseil.a" "$out"/abseil-cpp_*.o || return 1
  local rest=()
  for object in "$out"/*.o; do
    case $object in */abseil-cpp_*) ;; *) rest+=("$object") ;; esac
  done
  "${CXX:-g++}" "${flags[@]}" -I"$here" "$here/openspiel.cc" "${rest[@]}" "$out/abseil.a" -pthread -o "$driver"
}

from_cpp() {
  pinned "$driver" bench "$seconds" "${games[@]}" || return 1
  [ $instructions = yes ] || return 0
  local game
  for game in "${games[@]}"; do
    count_instructions openspiel-c++ "$game" 20 220 "$driver" deals "$game" || return 1
  done
}

lines=$work/openspiel.jsonl
code=0
machine_line "$command" >"$lines"
from_python >>"$lines" || code=$?
# Without a build for this Python, C++ is tried instead; if that works, something has been measured after all.
if [ $cpp = yes ] && [ $code = 0 ] || [ $code = 3 ]; then
  say "C++: building the trick games and a driver, one file at a time, where that is not done yet"
  cpp_code=0
  build_cpp || cpp_code=$?
  if [ $cpp_code = 0 ]; then
    from_cpp >>"$lines"
    code=0
  else
    say "the C++ driver could not be built"
    [ $code != 0 ] || code=$cpp_code
  fi
fi
if grep -q '"peer"' "$lines"; then
  [ $json = yes ] || "${PYTHON:-python3}" "$here/table.py" "$lines"
  cat "$lines"
fi
exit $code
