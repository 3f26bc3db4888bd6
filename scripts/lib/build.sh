# Builds the release preset and says how far it is. Source it.
#
#   build_release [TARGET …]     all of it unless told
#
# On a terminal one line is written anew; elsewhere a line comes with every tenth. An interrupted build goes on where it was.

build_release() {
  local targets=()
  [[ $# -eq 0 ]] || targets=(--target "$@")
  cmake --preset release >/dev/null
  # Of the steps that are not up to date, how many are finished and how many there are. Who sources this has pipefail set.
  NINJA_STATUS='[%f/%t] ' cmake --build --preset release "${targets[@]}" -j "$(nproc)" | show_progress
}

# Reads Ninja's lines; what is no step of it, as an error, is passed on.
show_progress() {
  local line begin=$SECONDS shown=0 rewritten=
  while IFS= read -r line; do
    if [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\  ]]; then
      local finished=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]} seconds=$((SECONDS - begin))
      local text="building: $((100 * finished / all)) % ($finished of $all steps, $seconds s$(time_left "$finished" "$all" "$seconds"))"
      if [[ -t 1 ]]; then
        printf '\r\033[K%s' "$text"
        rewritten=yes
      elif ((10 * finished / all > shown)) && ((all >= 20)); then
        shown=$((10 * finished / all))
        printf '%s\n' "$text"
      fi
    elif [[ $line != 'ninja: no work to do.' ]]; then
      [[ -z $rewritten ]] || printf '\n'
      rewritten=
      printf '%s\n' "$line"
    fi
  done
  [[ -z $rewritten ]] || printf '\n'
}

# Known well enough once a tenth is done and half a minute has gone.
time_left() {
  local finished=$1 all=$2 seconds=$3
  ((seconds >= 30 && 10 * finished >= all && finished < all)) || return 0
  local left=$((seconds * (all - finished) / finished))
  if ((left >= 90)); then printf ', some %d min left' $(((left + 30) / 60)); else printf ', some %d s left' "$left"; fi
}
