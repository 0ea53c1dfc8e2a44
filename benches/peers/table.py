"""Draws the JSON lines of run.sh or openspiel.sh as a table: table.py FILE"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    lines = [json.loads(line) for line in file if line.startswith("{")]
rows = {}
for line in lines:
    if "machine" in line:
        print(f"{line['machine']}, {line['cores']} cores, on core {line['core']}, load {line['load']}; {line['system']}")
        print(f"{line['compiler']}; {line['python']}; {line['date']}")
        print(f"$ {line['command']}\n")
    elif "peer" in line:
        rows.setdefault((line["game"], line["peer"]), {}).update(line)


def number(row, key, scale):
    return f"{row[key] / scale:.3f}" if scale > 1 and key in row else str(row.get(key, ""))


print(f"{'game':<40} {'peer':<18} {'M decisions/s':>13} {'without dealing':>15} {'instructions':>12}")
for (game, peer), row in rows.items():
    whole = number(row, "decisions_per_second", 1e6)
    play = number(row, "decisions_per_second_without_dealing", 1e6)
    print(f"{game:<40} {peer:<18} {whole:>13} {play:>15} {number(row, 'instructions_per_decision', 1):>12}")
print()
