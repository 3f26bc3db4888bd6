# The stages of scripts/test, one function each.

jobs() { nproc; }

# What people are told to use with a running service (jq, curl) is used by tests of the documentation, too.
stage_install() {
  install_packages build run test
  install_node_modules
}

stage_format() {
  git ls-files -z '*.cpp' '*.hpp' | xargs -0 clang-format --dry-run -Werror
}

# A newcomer has Debian's Node: a locked package that wants a newer one is seen here, not on their machine.
stage_locks() {
  /usr/bin/python3 scripts/lib/locks.py
}

stage_web() {
  (cd web && npm run --silent check && npm test --silent)
}

stage_build() {
  build_release
}

# A test that fails is tried once more: what fails twice fails the stage, what passes then is named as doubtful.
stage_unit() {
  local again=build/release/Testing/Temporary/LastTestsFailed.log
  rm -f "$again"
  ctest --preset release -L 'unit|contract|fuzz' -j "$(jobs)" --output-on-failure --progress && return 0
  printf '\nTried again, alone:\n'
  local doubtful
  doubtful=$(sed 's/^[0-9]*://' "$again")
  ctest --preset release --rerun-failed --output-on-failure || return 1
  printf 'DOUBTFUL, failed first and passed then:\n%s\n' "$doubtful"
}

stage_openapi() {
  local folder
  folder=$(mktemp -d)
  build/release/tessera openapi >"$folder/customers.json"
  build/release/tessera openapi --operators >"$folder/operators.json"
  (cd tests/tools && node_modules/.bin/redocly lint --config redocly.yaml "$folder"/*.json)
  rm -rf "$folder"
}

# Most of these tests is waiting, so that three runners go through them side by side: each takes the next file that no other has
# taken, the largest first. What fails is tried once more, alone.
stage_e2e() {
  local files runner status=0
  mapfile -t files < <(ls -S tests/e2e/test_*.py)
  rm -f build/pytest-*/v/cache/lastfailed  # of an earlier run, whose tests may have other names now
  local -x TESSERA_TAKEN_FILES
  TESSERA_TAKEN_FILES=$(mktemp -d)
  run_share faults tests/faults "${files[@]}" >build/release/faults.log 2>&1 &
  local faults=$!
  run_share first "${files[@]}" >build/release/e2e.log 2>&1 &
  local beside=$!
  run_share second "${files[@]}" || status=1
  wait "$beside" || status=1
  wait "$faults" || status=1
  cat build/release/e2e.log build/release/faults.log
  rm -rf "$TESSERA_TAKEN_FILES"
  unset TESSERA_TAKEN_FILES
  [[ $status -ne 0 ]] || return 0
  printf '\nTried again, alone:\n'
  for runner in first second faults; do
    run_share "$runner" --last-failed --last-failed-no-failures none tests/faults "${files[@]}" ||
      [[ $? -eq 5 ]] || return 1  # 5: of this runner's tests none had failed
  done
  printf 'DOUBTFUL: what is named above as failed first passed then\n'
}

# A runner remembers by its name which of its tests failed, and finds them again by their paths below the root.
run_share() {
  /usr/bin/python3 -m pytest -c tests/e2e/pytest.ini --rootdir=. -o cache_dir="$PWD/build/pytest-$1" "${@:2}"
}

# The image, made of the newest package in dist (or a new one) on a base that is made here, and run as root's podman runs it
# by default. The base is kept in build/roots.
stage_container() {
  source scripts/lib/container.sh
  require_root
  install_packages test container
  base_image bookworm
  tessera_image "$(built_package)"
  podman image inspect --format 'localhost/tessera:test has {{.Size}} bytes' localhost/tessera:test
  in_one_hierarchy /usr/bin/python3 -m pytest -c tests/e2e/pytest.ini -o cache_dir="$PWD/build/pytest-container" -s \
    tests/container/test_image.py tests/container/test_compose.py
}

# The archive, run in roots that have nothing but what Debian 12, Debian 13 and Ubuntu 24.04 have at least.
stage_archive() {
  source scripts/lib/container.sh
  require_root
  install_packages test container archive
  scripts/archive
  local suite
  for suite in bookworm trixie noble; do base_image "$suite"; done
  in_one_hierarchy /usr/bin/python3 -m pytest -c tests/e2e/pytest.ini -o cache_dir="$PWD/build/pytest-archive" -s tests/container/test_archive.py
}

# Any report of a sanitizer ends its program, and so fails its test. Both presets run to their end, whatever the first
# one finds. TESSERA_PRESETS=tsan runs one of them alone.
stage_sanitizers() {
  local preset presets log begin summary=() failed=0
  read -ra presets <<<"${TESSERA_PRESETS:-asan tsan}"
  for preset in "${presets[@]}"; do
    begin=$SECONDS log=build/$preset/tests.log
    cmake --preset "$preset" >/dev/null
    cmake --build --preset "$preset" --target test_programs -j "$(jobs)" | grep -v '^\[' || [[ ${PIPESTATUS[0]} -eq 0 ]]
    TSAN_OPTIONS="halt_on_error=1 history_size=7 suppressions=$PWD/tests/support/tsan.supp" \
    LSAN_OPTIONS="suppressions=$PWD/tests/support/lsan.supp" \
    UBSAN_OPTIONS="print_stacktrace=1" \
      ctest --preset "$preset" -L 'unit|contract|fuzz' -j "$(jobs)" --output-on-failure --progress --output-log "$log" || failed=1
    summary+=("$preset: $(grep -m1 'tests passed' "$log" || echo 'no test was run') ($((SECONDS - begin)) s; $log)")
  done
  printf '%s\n' "${summary[@]}"
  return "$failed"
}

# Two packages of this tree: the second one is what the first is upgraded to.
stage_package() {
  install_packages package package_test
  scripts/package --revision 1
  scripts/package --revision 2
  local version architecture
  version=$(sed -n 's/^project(tessera VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
  architecture=$(dpkg --print-architecture)
  TESSERA_PACKAGES="$PWD/dist/tessera_$version-1_$architecture.deb $PWD/dist/tessera_$version-2_$architecture.deb" \
    /usr/bin/python3 -m pytest -c tests/package/pytest.ini -p no:cacheprovider tests/package
}

# Nodes of the previous release and of this one on the same data.
stage_upgrade() {
  stage_build
  build_previous
  run_share upgrade tests/upgrade
}

# Most of e2e is waiting: in a run that has both, clang-tidy reads meanwhile, behind everything else, and tells of it in its turn.
start_tidy() {
  nice -n 19 /usr/bin/python3 scripts/lib/tidy.py build/release >build/release/tidy.log 2>&1 &
  tidy=$!
  trap 'kill "$tidy" 2>/dev/null' EXIT
}

stage_tidy() {
  if [[ -n ${tidy:-} ]]; then
    local status=0
    wait "$tidy" || status=$?
    tidy=
    trap - EXIT
    cat build/release/tidy.log
    return "$status"
  fi
  [[ -f build/release/.ninja_deps ]] || stage_build  # it needs the flags, the generated files and who includes what
  /usr/bin/python3 scripts/lib/tidy.py build/release
}
