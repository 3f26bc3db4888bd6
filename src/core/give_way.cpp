#include "core/give_way.hpp"

#include <sys/resource.h>

namespace tessera {

void give_way() {
    // Linux has niceness for each thread; 0 is the caller. It fails where that would be a step up.
    ::setpriority(PRIO_PROCESS, 0, helper_niceness);
}

}  // namespace tessera
