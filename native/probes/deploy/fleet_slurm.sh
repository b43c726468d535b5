#!/usr/bin/env bash
# Measures each node of a Slurm cluster by itself, a job for each, so that nothing waits for the slowest; a last job
# compares the profiles. A job array cannot say which node a task gets, so that jobs are submitted one by one.
#
#   fleet_slurm.sh 'gpu[01-16]'              # submits 17 jobs; options of sbatch come after the nodes
#   fleet_slurm.sh 'gpu[01-16]' --partition=gpu --account=research
#
# PODWRIGHT  the program (default: podwright of the path)
# MODE       --quick, --standard or --soak (default: --quick)
# PROFILES   folder of the profiles, which all nodes see (default: profiles-DATE in this folder)
# TIME       of each job (default: 01:00:00; --standard takes up to ten minutes for each GPU)
# DEADLINE   until when jobs must have ended, or they are given up, as sbatch --deadline takes it (default: now+4hours)
set -euo pipefail

if (($# == 0)); then
  echo "usage: fleet_slurm.sh NODES [OPTION OF SBATCH]..." >&2
  exit 2
fi
nodes=$1
shift
program=${PODWRIGHT:-podwright}
mode=${MODE:---quick}
time=${TIME:-01:00:00}
deadline=${DEADLINE:-now+4hours}
profiles=${PROFILES:-$PWD/profiles-$(date -u +%Y%m%dT%H%M%SZ)}
mkdir -p "$profiles"

# Names travel as arguments, so that none becomes part of a script.
cat >"$profiles/probe.sh" <<'END'
#!/usr/bin/env bash
exec "$1" probe "$2" -o "$3"
END
cat >"$profiles/compare.sh" <<'END'
#!/usr/bin/env bash
for form in markdown prometheus junit; do
  "$1" compare "$2" --expect "$3" --format "$form" >"$2/fleet.$form.part"
  mv "$2/fleet.$form.part" "$2/fleet.$form"
done
exec "$1" compare "$2" --expect "$3"
END

jobs=()
while read -r node; do
  id=$(sbatch --parsable --job-name=podwright-probe --nodes=1 --ntasks=1 --exclusive --nodelist="$node" \
    --time="$time" --deadline="$deadline" --output="$profiles/$node.log" "$@" \
    "$profiles/probe.sh" "$program" "$mode" "$profiles/$node.json")
  jobs+=("${id%%;*}")
done < <(scontrol show hostnames "$nodes")

if ((${#jobs[@]} == 0)); then
  echo "fleet_slurm.sh: there are no nodes in $nodes" >&2
  exit 2
fi
# afterany: a node that fails is what the comparison is for.
after=$(IFS=:; echo "${jobs[*]}")
last=$(sbatch --parsable --job-name=podwright-compare --nodes=1 --ntasks=1 --time=00:10:00 \
  --dependency="afterany:$after" --output="$profiles/fleet.txt" "$@" \
  "$profiles/compare.sh" "$program" "$profiles" "$nodes")
echo "${#jobs[@]} nodes; job ${last%%;*} writes $profiles/fleet.txt"
