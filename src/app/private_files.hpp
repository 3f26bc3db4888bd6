// What lies in a data folder or comes from it is nobody else's to read: customers' pictures, keys, the database.
#pragma once

#include <sys/types.h>

namespace tessera::app {

// From here on this process makes files of mode 0600 and folders of mode 0700, libraries included, whatever the umask
// was.
void keep_files_private();

// The umask that the process was started with: for files that the caller asked for.
mode_t umask_of_caller();

}  // namespace tessera::app
