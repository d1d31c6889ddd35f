# shellcheck shell=bash
# Set-up shared by ./stickslip, ./test and .ci/run: system packages, .venv/ and the build. To be sourced; leaves the working
# directory alone, so that the user's paths stay relative to it.
#
# Quiet when there is nothing to do. A step that fails names itself, shows the end of its log and ends the script:
# with 2 if Debian packages are missing and only root could install them, with 3 if a step failed.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)"
cache="$root/.cache"
logs="$cache/logs"
venv="$root/.venv"
venv_python="$venv/bin/python"
jobs="${STICKSLIP_JOBS:-$(nproc)}"

# An active environment of the user's must not leak into ours.
unset PYTHONHOME PYTHONPATH VIRTUAL_ENV
export PIP_USER=0 PIP_NO_INPUT=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONNOUSERSITE=1
if [[ -z "${CCACHE_DIR:-}" && ! -w "${HOME:-/nonexistent}" ]]; then
  export CCACHE_DIR="$cache/ccache" npm_config_cache="$cache/npm"  # both refuse to work where they cannot write
fi

say() { echo "stickslip: $*" >&2; }

# The words of a list file without its comments.
read_list() { sed -e 's/#.*//' "$@" | tr -s ' \t\n' '\n' | sed '/^$/d'; }

# The lines that explain a failure: from the first error on, or else the end.
explain_log() {
  local first
  first="$(grep -n -m1 -E '^FAILED: |^CMake Error|^E: |^ERROR: ' "$1" | cut -d: -f1)"
  if [[ -n "$first" ]]; then tail -n "+$first" "$1" | head -n 40; else tail -n 25 "$1"; fi | sed 's/^/  | /' >&2
}

# fail_step <what> <log> <remedy>
fail_step() {
  say "FAILED: $1"
  explain_log "$2"
  say "whole log: $2"
  say "what to do: $3"
  exit 3
}

# run_step <log name> <what> <remedy> <command...>: the command's output goes to .cache/logs/<log name>.log.
run_step() {
  local log="$logs/$1.log" what="$2" remedy="$3" began=$SECONDS
  shift 3
  say "$what ..."
  "$@" >"$log" 2>&1 9>&- || fail_step "$what" "$log" "$remedy"
  say "$what: done in $((SECONDS - began)) s"
}

# One set-up at a time in a checkout; others wait. Children close descriptor 9, so that none outlives us holding the lock.
lock_setup() {
  mkdir -p "$logs" || { say "cannot write to $cache; make the checkout writable for $(id -un)"; exit 3; }
  exec 9>"$cache/setup.lock"
  if ! flock -n 9; then
    say "waiting for another set-up of this checkout to finish ..."
    flock 9
  fi
}
unlock_setup() { exec 9>&-; }

# ---------------------------------------------------------------------------------------------------- Debian packages
install_packages() {
  local lists=("$@") missing wanted
  if [[ -n "${STICKSLIP_SKIP_PACKAGES:-}" ]]; then return; fi
  if ! command -v dpkg-query >/dev/null; then
    if [[ ! -e "$cache/not-debian" ]]; then
      say "not a Debian system: going on, but you need the equivalents of the packages in tools/packages*-apt.txt"
      touch "$cache/not-debian"
    fi
    return
  fi
  # shellcheck disable=SC2207
  wanted=($(read_list "${lists[@]}"))
  missing="$(comm -13 <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null |
    sed -n 's/^installed //p' | sort -u) <(printf '%s\n' "${wanted[@]}" | sort -u) | tr '\n' ' ')"
  missing="${missing% }"
  if [[ -z "$missing" ]]; then return; fi
  if [[ "$(id -u)" -ne 0 ]]; then
    say "these Debian packages are missing; install them and run this again:"
    echo "sudo apt-get install $missing" >&2
    say "(or set STICKSLIP_SKIP_PACKAGES=1 if you have them from elsewhere)"
    exit 2
  fi
  # shellcheck disable=SC2086
  run_step apt "installing Debian packages: $missing" \
    "look at the log for the package that apt could not get, check the network and /etc/apt/sources.list, then run this again" \
    apt_install $missing
}

apt_install() {
  export DEBIAN_FRONTEND=noninteractive
  apt-get update || echo "apt-get update failed; trying with the package lists as they are"
  apt-get install -y --no-install-recommends "$@"
}

# ------------------------------------------------------------------------------------------------------------- .venv/
# A Python that can make an environment and has its C headers. PATH's first: it may be pyenv's or a distribution's.
find_python() {
  local candidate
  for candidate in python3 /usr/bin/python3 python3.13 python3.12 python3.11 python3.10; do
    if "$candidate" - >/dev/null 2>&1 <<'PY'; then command -v "$candidate"; return; fi
import ensurepip, os, sys, sysconfig, venv
sys.exit(sys.version_info < (3, 10) or not os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")))
PY
  done
  return 1
}

make_venv() {
  local python
  if "$venv_python" -c 'import pip' >/dev/null 2>&1; then return; fi
  if ! python="$(find_python)"; then
    say "FAILED: no python3 of version 3.10 or later that has venv and its C headers"
    say "what to do: apt-get install python3-venv python3-dev, or put another Python first in PATH"
    exit 3
  fi
  rm -rf "$venv"
  run_step venv "creating .venv/ with $python" "check that $venv can be written and that '$python -m venv' works" \
    "$python" -m venv "$venv"
}

# install_python <log name> <list> [pip options...]: once for each content of the list; the stamp lives and dies with .venv/.
install_python() {
  local name="$1" list="$2" stamp sum
  shift 2
  stamp="$venv/.stickslip-$name"
  sum="$(sha256sum <"$list")"
  if [[ -e "$stamp" && "$(<"$stamp")" == "$sum" ]]; then return; fi
  run_step "pip-$name" "installing ${list#"$root"/} into .venv/" \
    "check the network and pip's configuration, then run this again" \
    "$venv_python" -m pip install --quiet -r "$list" "$@"
  echo "$sum" >"$stamp"
}

# Makes `import stickslip` find the built package, whatever the working directory.
link_module() {
  local pth site
  for site in "$venv"/lib/python3*/site-packages; do
    pth="$site/stickslip.pth"
    if [[ ! -e "$pth" || "$(<"$pth")" != "$root/build/python" ]]; then echo "$root/build/python" >"$pth"; fi
  done
}

# -------------------------------------------------------------------------------------------------------------- build
# configure <build folder> <preset> <options...>: only when the options differ from last time; ninja sees to the rest.
configure() {
  local build="$1" preset="$2" wanted
  shift 2
  wanted="$root $preset $*"
  if [[ -e "$build/build.ninja" && -e "$build/.configured" && "$(<"$build/.configured")" == "$wanted" ]]; then return; fi
  if [[ -e "$build/CMakeCache.txt" ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; then
    say "${build#"$root"/}/ was made for another folder; making it anew"
    rm -rf "$build"
  fi
  run_step "configure-$preset" "configuring ${build#"$root"/}/" \
    "the message above names what CMake missed; after mending it run this again (rm -rf $build starts afresh)" \
    cmake -S "$root" --preset "$preset" -B "$build" --fresh "$@"
  echo "$wanted" >"$build/.configured"
}

# build <build folder> <targets...>: says so only if it takes longer than a moment, and counts on a terminal.
build() {
  local build="$1" name log began=$SECONDS watcher status=0
  shift
  name="${build#"$root"/}"
  log="$logs/$name.log"
  : >"$log"
  watch_build "$name" "$log" 9>&- &
  watcher=$!
  ninja -C "$build" -j "$jobs" "$@" >"$log" 2>&1 9>&- || status=$?
  kill "$watcher" 2>/dev/null || true
  wait "$watcher" 2>/dev/null || true  # ended by the signal; bench/run stops at any failure
  if [[ $status -ne 0 ]]; then
    fail_step "building $name/" "$log" \
      "mend the first error above and run this again; after an upgrade of the compiler or of a library, rm -rf $build first"
  fi
  if ((SECONDS - began > 2)); then say "building $name/: done in $((SECONDS - began)) s"; fi
}

watch_build() {
  local count
  pause 1
  say "building $1/ (log: $2) ..."
  while [[ -t 2 ]]; do
    pause 1
    count="$(tail -n 1 "$2" | grep -o '^\[[0-9]*/[0-9]*\]')" && printf '\r%s ' "$count" >&2
  done
}
pause() { sleep "$1" >/dev/null 2>&1 </dev/null; }  # holds none of our pipes open should it outlive us

# setup_release [tests]: everything up to a configured build/. With "tests" also what the tests need; once they are configured
# they stay so, and ./stickslip builds only its own targets.
setup_release() {
  local tests=OFF lists=("$root/tools/packages-apt.txt")
  if [[ "${1:-}" == tests ]]; then lists+=("$root/tools/packages-test-apt.txt"); fi
  install_packages "${lists[@]}"
  make_venv
  install_python build "$root/tools/requirements.txt"
  if [[ "${1:-}" == tests ]]; then
    install_python test "$root/tools/requirements-test.txt"
    install_python robots "$root/tools/requirements-robots.txt" --no-deps
    tests=ON
  elif grep -qs '^STICKSLIP_TESTS:BOOL=ON' "$root/build/CMakeCache.txt"; then
    tests=ON
  fi
  configure "$root/build" release -DSTICKSLIP_TESTS=$tests -DSTICKSLIP_PYTHON=ON "-DPython_EXECUTABLE=$venv_python"
  link_module
}

# -------------------------------------------------------------------------------------------------------------- viewer
# Node 18 or newer with npm: the system's, or else PyPI's.
find_node() {
  if command -v npm >/dev/null && node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' 2>/dev/null; then return; fi
  install_python node "$root/tools/requirements-node.txt"
  export PATH="$venv/bin:$PATH"
}

# The viewer's page, viewer/dist/viewer.html, if a source of it is newer.
build_viewer() {
  local page="$root/viewer/dist/viewer.html"
  if [[ -e "$page" && -z "$(find "$root/viewer" \( -name node_modules -o -name dist \) -prune -o -type f -newer "$page" -print -quit)" ]]; then
    return
  fi
  find_node
  run_step viewer "building the viewer's page" "check the network and npm's configuration, then run this again" \
    bash -c 'cd "$1" && npm ci --no-audit --no-fund --ignore-scripts && npm run build' - "$root/viewer"
}
