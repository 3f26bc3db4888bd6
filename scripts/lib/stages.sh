# The stages of scripts/test, one function each.

jobs() { nproc; }

# Cached objects serve every checkout of this project, wherever it lies.
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1

stage_install() {
  install_packages build test
  install_node_modules
}

stage_format() {
  git ls-files -z '*.cpp' '*.hpp' | xargs -0 clang-format --dry-run -Werror
}

stage_build() {
  cmake --preset release >/dev/null
  cmake --build --preset release -j "$(jobs)" | grep -v '^\[' || [[ ${PIPESTATUS[0]} -eq 0 ]]
}

stage_unit() {
  ctest --preset release -L 'unit|contract' -j "$(jobs)" --output-on-failure --progress
}

stage_openapi() {
  local document
  document=$(mktemp --suffix=.json)
  build/release/tessera openapi >"$document"
  (cd tests/tools && node_modules/.bin/redocly lint --config redocly.yaml "$document")
  rm -f "$document"
}

stage_e2e() {
  /usr/bin/python3 -m pytest -c tests/e2e/pytest.ini tests/e2e tests/faults
}

# What a sanitizer run must have told us to count as clean: any report ends the program.
stage_sanitizers() {
  local preset
  for preset in asan tsan; do
    cmake --preset "$preset" >/dev/null
    cmake --build --preset "$preset" -j "$(jobs)" | grep -v '^\[' || [[ ${PIPESTATUS[0]} -eq 0 ]]
    TSAN_OPTIONS="halt_on_error=1 history_size=7 suppressions=$PWD/tests/support/tsan.supp" \
    LSAN_OPTIONS="suppressions=$PWD/tests/support/lsan.supp" \
      ctest --preset "$preset" -L 'unit|contract' -j "$(jobs)" --output-on-failure --progress
  done
}

stage_tidy() {
  [[ -f build/release/.ninja_deps ]] || stage_build  # it needs the flags, the generated files and who includes what
  /usr/bin/python3 scripts/lib/tidy.py build/release
}
