#include "app/private_files.hpp"

#include <sys/stat.h>

namespace tessera::app {

void keep_files_private() {
    umask_of_caller();
    ::umask(0077);
}

mode_t umask_of_caller() {
    static const mode_t mask = [] {
        const mode_t found = ::umask(0077);  // the only way to ask is to change it
        ::umask(found);
        return found;
    }();
    return mask;
}

}  // namespace tessera::app
