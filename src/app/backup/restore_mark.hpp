// The file that says that a restore into a data folder has begun and not ended: what lies there is not whole.
#pragma once

#include "core/result.hpp"

namespace tessera::app {

class DataFolder;

bool restore_is_unfinished(const DataFolder& folder);
Result<void> mark_restore(const DataFolder& folder);
Result<void> clear_restore_mark(const DataFolder& folder);

// An error where it is there: nothing may be served from such a folder.
Result<void> require_whole(const DataFolder& folder);

}  // namespace tessera::app
