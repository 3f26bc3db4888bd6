# Installs Debian packages and npm modules that are missing. Source it; it changes nothing when all is there, so that
# a machine with no network that has everything goes on.
#
#   install_packages build run test package package_test container archive fuzz bench   any of these sets
#   install_node_modules [FOLDER …]           what package-lock.json of these folders names; of all that have one unless told

packages_build=(
  build-essential cmake ninja-build ccache pkg-config git
  libboost-json1.81-dev libboost-url1.81-dev libboost1.81-dev libssl-dev libsqlite3-dev libpq-dev libcurl4-openssl-dev
  libvips-dev libheif-dev libaom-dev libjpeg62-turbo-dev libwebp-dev libdeflate-dev libisal-dev liblcms2-dev libpng-dev libseccomp-dev
  libtomlplusplus-dev libcli11-dev prometheus-cpp-dev libgtest-dev libgmock-dev
)
packages_run=(ca-certificates curl jq)
packages_test=(
  python3 python3-pytest python3-yaml python3-pip python3-setuptools mypy clang-format clang-tidy-16 libvips-tools libjpeg-turbo-progs pngcheck webp sqlite3
  postgresql clamav-daemon nginx-light curl ceph-mon ceph-osd radosgw rclone faketime systemd chromium procps
  prometheus zsh fish mandoc man-db
)
packages_package=(debhelper dpkg-dev lintian python3)
packages_package_test=(mmdebstrap systemd-container python3-pytest)
packages_container=(podman buildah crun mmdebstrap python3-yaml)
packages_archive=(patchelf binutils)
packages_fuzz=(clang-16 libclang-rt-16-dev llvm-16)
packages_bench=(wrk nghttp2-client nginx-light libvips-tools libjpeg-turbo-progs python3 curl postgresql ceph-mon ceph-osd radosgw)

missing_packages() {
  local package
  for package in "$@"; do
    [[ "$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null)" == installed ]] || echo "$package"
  done
}

apt_install() {
  local sudo=()
  if [[ $EUID -ne 0 ]]; then
    command -v sudo >/dev/null || {
      printf 'packages are missing, and only root can install them. As root, run this, and then try again:\n\n' >&2
      printf '  apt-get update && apt-get install -y --no-install-recommends %s\n\n' "$*" >&2
      return 1
    }
    sudo=(sudo)
  fi
  echo "installing: $*"
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq update
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@" >/dev/null
}

install_packages() {
  local set wanted=() missing
  for set in "$@"; do
    local -n list="packages_$set"
    wanted+=("${list[@]}")
    unset -n list
  done
  mapfile -t missing < <(missing_packages "${wanted[@]}" | sort -u)
  [[ ${#missing[@]} -gt 0 ]] || return 0
  command -v apt-get >/dev/null || {
    echo "this is not a Debian system; install what these packages hold: ${missing[*]}" >&2
    return 1
  }
  apt_install "${missing[@]}"
}

install_node_modules() {
  local folder folders=("$@")
  [[ ${#folders[@]} -gt 0 ]] || folders=(tests/tools clients/typescript web)
  command -v npm >/dev/null || apt_install nodejs npm || return 1
  for folder in "${folders[@]}"; do
    # The copied lock file tells which state the folder was installed from.
    cmp -s "$folder/package-lock.json" "$folder/node_modules/.installed-lock" && continue
    (cd "$folder" && npm ci --no-audit --no-fund --loglevel=error) || return 1
    cp "$folder/package-lock.json" "$folder/node_modules/.installed-lock"
  done
}
