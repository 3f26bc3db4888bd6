#include "engine/child/hooks.hpp"

namespace tessera::engine::hooks {

void on_image(int, Moment) {}

}  // namespace tessera::engine::hooks
