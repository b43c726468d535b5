#!/bin/sh
# Runs a command and keeps what it prints: with_output.sh FILE COMMAND...
file=$1
shift
exec "$@" > "$file"
