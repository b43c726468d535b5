#!/usr/bin/env bash
# Recipe for the prolog of a Slurm cluster: a short look at the node before each job. A fault (a wrong result, memory
# errors, a GPU that is gone) drains the node and puts the job back into the queue, which is what Slurm does when a
# prolog fails; a slow node is only logged, and so is a node that cannot be measured.
#
# slurm.conf:  Prolog=/etc/slurm/prolog.d/50-podwright.sh
#              PrologFlags=Alloc          (before the job, and not at its first step)
#
# A prolog has no search path and runs as root, so that every program is named in full.
#
# PODWRIGHT  the program; SECONDS_OF_PROBE  of each device; METRICS  folder of node_exporter's textfile collector
set -uo pipefail
export PATH=/usr/sbin:/usr/bin:/sbin:/bin

program=${PODWRIGHT:-/usr/bin/podwright}
seconds=${SECONDS_OF_PROBE:-15}
metrics=${METRICS:-/var/lib/node_exporter/textfile_collector}
node=${SLURMD_NODENAME:-$(uname -n)}

# Jobs without GPUs are not kept waiting. On nodes that jobs share, GPUs of others are busy and left out.
if [[ -z ${SLURM_JOB_GPUS:-} ]]; then exit 0; fi

folder=$(mktemp -d) || exit 0
trap 'rm -rf "$folder"' EXIT
timeout --kill-after=5 "$((4 * seconds + 60))" \
  "$program" probe --quick --budget "$seconds" --only hbm,gemm,pcie --require hbm -o "$folder/profile.json" \
  >"$folder/said" 2>&1
code=$?

if [[ -f $folder/profile.json && -d $metrics ]]; then
  "$program" verify "$folder/profile.json" --node "$node" --format prometheus >"$metrics/podwright.prom.$$"
  mv "$metrics/podwright.prom.$$" "$metrics/podwright.prom"
fi
if ((code == 0)); then exit 0; fi
logger -t podwright-prolog "$node: code $code: $(tail -n 3 "$folder/said" | tr '\n' ' ')" || true
if ((code == 4)); then
  echo "podwright found a fault on $node: $(tail -n 1 "$folder/said")" >&2
  exit 1
fi
exit 0
