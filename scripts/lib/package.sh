# How scripts/package lays out a source tree, builds a package from it, and compares two builds.

project_version() {
  sed -n 's/^project(tessera VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt
}

# Everything in a package is as old as its commit.
commit_time() {
  git log -1 --format=%ct
}

# stage_sources FOLDER VERSION: the files of this tree as they are now, with debian/ where its tools look for it. What was built
# there stays, and so do times, so that only what changed is built again.
stage_sources() {
  local stage=$1 version=$2
  mkdir -p "$stage"
  find "$stage" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
  git ls-files -z --cached --others --exclude-standard --deduplicate | grep -zvE '^packaging/debian/' |
    while IFS= read -rd '' file; do [[ ! -f $file ]] || printf '%s\0' "$file"; done |
    tar --create --null --files-from=- | tar --extract --directory "$stage"
  cp -r packaging/debian "$stage/debian"
  ln -s "$PWD/web/node_modules" "$stage/web/node_modules"
  cat >"$stage/debian/changelog" <<EOF
tessera ($version) bookworm; urgency=medium

  * What is new is in CHANGELOG.md.

 -- $(sed -n 's/^Maintainer: //p' packaging/debian/control)  $(date --utc --rfc-email --date="@$(commit_time)")
EOF
}

# build_package FOLDER: the packages lie beside it, and are as old as its changelog says. Only errors and warnings are shown.
build_package() {
  local log=$1.log
  (cd "$1" && SOURCE_DATE_EPOCH=$(dpkg-parsechangelog --show-field Timestamp) dpkg-buildpackage --build=binary --no-sign) >"$log" 2>&1 || {
    tail -n 40 "$log" >&2
    return 1
  }
}

# Two folders with names of different lengths, and no object from a cache: what differs is a bug of the build. Both are laid out
# first, so that what is edited or committed meanwhile is in neither.
compare_two_builds() {
  local folders=(build/package/once build/package/once-more/below) folder
  for folder in "${folders[@]}"; do
    rm -rf "$folder" && mkdir -p "$folder"
    stage_sources "$folder/tessera" "$1"
  done
  for folder in "${folders[@]}"; do
    CCACHE_DISABLE=1 build_package "$folder/tessera"
  done
  local package same=yes
  for package in build/package/once/*.deb; do
    cmp "$package" "build/package/once-more/below/${package##*/}" || same=
  done
  [[ -n $same ]] || { echo "two builds differ" >&2; return 1; }
  (cd build/package/once && sha256sum ./*.deb)
  echo "two builds, the same bytes"
}
