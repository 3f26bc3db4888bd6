# Base systems made by mmdebstrap, and the image of Tessera made on one. Source it after install.sh.
#
#   base_image SUITE        localhost/tessera-base:SUITE, from a tarball that is kept in build/roots
#   tessera_image PACKAGE   localhost/tessera:test, as packaging/container/Containerfile says
#   built_package           the newest package in dist; scripts/package makes one where there is none

#   in_one_hierarchy COMMAND  with control groups that crun takes: it refuses a machine that has both versions of them

roots=${TESSERA_ROOTS:-$PWD/build/roots}

require_root() {
  [[ $EUID -eq 0 ]] || { echo "base systems and containers are made by root here: run this stage as root" >&2; return 1; }
}

# Without documentation and translations, as the slim images of Debian are.
make_root() {
  local source=$1 slim=()
  if [[ $1 == noble ]]; then
    # Debian has no keyring of Ubuntu: this root is only looked at from outside, and never ships.
    source="deb [trusted=yes] http://archive.ubuntu.com/ubuntu noble main"
  else
    slim=(--dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*'
      --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright')
    source=http://deb.debian.org/debian
  fi
  mkdir -p "$roots"
  rm -rf "$roots/$1.tar" "$roots/$1.tar.part"  # of a run that was interrupted
  # It would go by the name's ending, and make a folder of what ends in .part.
  mmdebstrap --quiet --format=tar --variant=minbase --aptopt='Acquire::Languages "none"' "${slim[@]}" "$1" "$roots/$1.tar.part" "$source" &&
    mv "$roots/$1.tar.part" "$roots/$1.tar"
}

base_image() {
  podman image exists "localhost/tessera-base:$1" && return 0
  [[ -f $roots/$1.tar ]] || make_root "$1" || return 1
  podman import --quiet "$roots/$1.tar" "localhost/tessera-base:$1" >/dev/null
}

built_package() {
  local newest
  newest=$(ls -t dist/tessera_*.deb 2>/dev/null | head -1)
  if [[ -z $newest ]]; then
    scripts/package >&2 || return 1
    newest=$(ls -t dist/tessera_*.deb | head -1)
  fi
  echo "$newest"
}

# Steps run without namespaces of their own (--isolation chroot) and with this machine's network: a builder that is itself
# in a container or has no network plugins can do that.
tessera_image() {
  local context
  context=$(mktemp -d)
  cp "$1" "$context/"
  buildah build --quiet --format docker --isolation chroot --network host --build-arg BASE=localhost/tessera-base:bookworm \
    --tag localhost/tessera:test --file packaging/container/Containerfile "$context" >/dev/null || return 1
  rm -r "$context"
}

in_one_hierarchy() {
  if [[ -d /sys/fs/cgroup/unified ]]; then
    unshare --mount sh -c 'mount -t cgroup2 none /sys/fs/cgroup && exec "$@"' sh "$@"
  else
    "$@"
  fi
}
