#!/usr/bin/env bash
# Builds the viewer's page, viewer/dist/viewer.html, if a source of it is newer.
set -uo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/setup.sh"
lock_setup
make_venv
build_viewer
unlock_setup
