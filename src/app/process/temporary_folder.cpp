#include "app/process/temporary_folder.hpp"

#include <cstdlib>
#include <string>
#include <system_error>

#include "app/command_failed.hpp"

namespace tessera::app {

TemporaryFolder::TemporaryFolder() {
    std::error_code none;
    std::string pattern = (std::filesystem::temp_directory_path(none) / "tessera-XXXXXX").string();
    const char* made = ::mkdtemp(pattern.data());
    if (made == nullptr) throw CommandFailed(from_errno("a temporary folder " + pattern));
    path_ = made;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace tessera::app
