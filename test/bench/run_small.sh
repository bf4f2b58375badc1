#!/bin/sh
# run_small.sh PROGRAM: every scenario of session_bench on a small cluster, with all its checks.
set -eu
program=$1
for scenario in place idle hopeless arrive affinity spread preempt; do
  "$program" --scenario "$scenario" --nodes 60 --pods 200 --gang 10 --classes 3 --queues 3 --namespaces 2 \
    --repeat 2 --warmup 0
done
# Nodes enough for several threads to share a loop.
for scenario in place affinity spread; do
  "$program" --scenario "$scenario" --nodes 1200 --pods 60 --classes 5 --threads 4 --repeat 2 --warmup 0
done
"$program" --scenario delta --nodes 60 --pods 200 --gang 10 --changes 30 --repeat 3
for scenario in reclaim reclaimloop reclaim-large; do
  "$program" --scenario "$scenario" --nodes 20 --repeat 2 --warmup 0
done
