#!/usr/bin/env bash
# Measures many hosts at once over ssh, without a scheduler, and compares them.
#
#   fleet_ssh.sh FOLDER HOST...          # a profile of each host in FOLDER, then the comparison
#   fleet_ssh.sh FOLDER $(<hosts.txt)
#
# The same by other programs, in one line each:
#
#   pdsh -w 'gpu[01-16]' podwright probe --quick --json 2>/dev/null | podwright compare - --expect 'gpu[01-16]'
#   clush -w 'gpu[01-16]' podwright probe --quick --json 2>/dev/null | podwright compare - --expect 'gpu[01-16]'
#   parallel-ssh -h hosts.txt -t 900 -o FOLDER podwright probe --quick --json; podwright compare FOLDER/* --expect @hosts.txt
#
# PODWRIGHT  the program on the hosts and here (default: podwright of the path)
# MODE       --quick, --standard or --soak (default: --quick)
# AT_ONCE    hosts at once (default: 64)
# PATIENCE   seconds for each host (default: 1800)
set -euo pipefail

if (($# < 2)); then
  echo "usage: fleet_ssh.sh FOLDER HOST..." >&2
  exit 2
fi
folder=$1
shift
mkdir -p "$folder"
export folder
export program=${PODWRIGHT:-podwright}
export mode=${MODE:---quick}
export patience=${PATIENCE:-1800}

# What ends early leaves no half file; a host without a profile is named as missing.
# shellcheck disable=SC2016
printf '%s\0' "$@" | xargs -0 -P "${AT_ONCE:-64}" -n 1 bash -c '
  timeout "$patience" ssh -o BatchMode=yes -o ConnectTimeout=15 -- "$1" "$program probe $mode --json" \
    >"$folder/$1.part" 2>"$folder/$1.log" </dev/null || true
  if [[ -s "$folder/$1.part" ]]; then mv "$folder/$1.part" "$folder/$1.json"; else rm -f "$folder/$1.part"; fi
' probe-one

printf '%s\n' "$@" >"$folder/hosts.txt"
exec "$program" compare "$folder" --expect "@$folder/hosts.txt"
