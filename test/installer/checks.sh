# A line for each check and the exit status of them all; to be sourced by the tests of shell scripts.
checks_failed=0

check() {  # NAME COMMAND...
  local name=$1 output
  shift
  if output=$("$@" 2>&1); then
    echo "ok      $name"
  else
    echo "FAILED  $name"
    [ -z "$output" ] || sed 's/^/        /' <<<"$output"
    checks_failed=1
  fi
}

checks_done() {
  [ "$checks_failed" -eq 0 ] || { echo "not all checks passed"; exit 1; }
}
