#!/usr/bin/env bash
# Random deals of draw poker, five seats, on one core: PokerKit from the public package, and hoyle's table beside it, in the same run.
#
#   pokerkit.sh [--seconds N] [--hoyle FILE]
#
#   --seconds N      of processor time for each (5)
#   --hoyle FILE     take hoyle's line from what its bench printed before, instead of running it
#
# Prints the machine and the command as a JSON line, then a line for each peer, then how many times PokerKit's deals hoyle plays.
# Environment: PYTHON (python3), POKERKIT (0.7.7, the version to install), CORE (the last one, to be used).
# Exit codes: 0 measured; 2 misuse; 3 PokerKit cannot be installed; 1 anything else.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
command="benches/peers/$(basename "$0") $*"
# shellcheck source=benches/peers/common.sh
source "$here/common.sh"

seconds=5 hoyle=
while [ $# -gt 0 ]; do
  case $1 in
    --seconds) seconds=${2:?--seconds needs a number}; shift ;;
    --hoyle) hoyle=${2:?--hoyle needs a file}; shift ;;
    *) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2 ;;
  esac
  shift
done

version=${POKERKIT:-0.7.7}
venv=$work/venv-pokerkit-$version
python=$venv/bin/python
[ -x "$venv/bin/pip" ] || "${PYTHON:-python3}" -m venv "$venv" >&2
"$python" -c 'import pokerkit' 2>/dev/null ||
  "$venv/bin/pip" --disable-pip-version-check --no-input --quiet install "pokerkit==$version" >&2 || { echo "pokerkit.sh: PokerKit cannot be installed" >&2; exit 3; }

machine_line "$command"
theirs=$(pinned "$python" "$here/pokerkit_draw.py" "$seconds")
echo "$theirs"
if [ -z "$hoyle" ]; then
  hoyle=$work/hoyle-draw.out
  (cd "$root" && HOYLE_BENCH_SECONDS=$seconds HOYLE_BENCH_GAME='draw-poker(players=5)' pinned cargo bench --quiet --bench table) >"$hoyle"
fi
ours=$(grep '^{"peer": "hoyle".*"draw-poker' "$hoyle") || { echo "pokerkit.sh: no line of hoyle's in $hoyle" >&2; exit 1; }
echo "$ours"
"$python" - "$theirs" "$ours" <<'PY'
import json
import sys

theirs, ours = (json.loads(line) for line in sys.argv[1:])
print(f"hoyle plays {ours['deals_per_second'] / theirs['deals_per_second']:.1f} times PokerKit's deals, "
      f"and takes {ours['decisions_per_second'] / theirs['decisions_per_second']:.1f} times its decisions")
PY
