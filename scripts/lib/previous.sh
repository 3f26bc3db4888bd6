# The binary of the release before this one: tests/upgrade/previous names its commit.

# Taken out of the repository's history into build/previous and built there, once; ccache remembers most of it.
build_previous() {
  local commit folder=build/previous
  commit=$(sed -n 's/^commit //p' tests/upgrade/previous)
  if [[ $(cat "$folder/.commit" 2>/dev/null) != "$commit" ]]; then
    git cat-file -e "$commit^{commit}" 2>/dev/null || git fetch --quiet origin "$commit" ||
      { echo "the commit $commit of the previous release is not in this clone: fetch its history" >&2; return 1; }
    rm -rf "$folder"
    mkdir -p "$folder"
    git archive "$commit" | tar -x -C "$folder"
    echo "$commit" >"$folder/.commit"
  fi
  (
    cd "$folder"
    export CCACHE_BASEDIR="$PWD"
    cmake --preset release >/dev/null
    cmake --build --preset release --target tessera -j "$(jobs)" | grep -v '^\[' || [[ ${PIPESTATUS[0]} -eq 0 ]]
  )
}
