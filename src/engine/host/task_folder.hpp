// The folder that an engine works in. It is used for one task after the other, because making and removing a folder
// for each would cost more than a small task itself; it has to be empty in between.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "core/file.hpp"
#include "core/result.hpp"
#include "engine/host/scratch.hpp"
#include "engine/host/writer_check.hpp"

namespace tessera::engine {

class TaskFolder {
  public:
    // Below `parent`, for the user `uid` to write to.
    static Result<TaskFolder> make(const std::filesystem::path& parent, uid_t uid);

    [[nodiscard]] std::string name() const { return folder_.path().filename().string(); }
    // Of the folder itself, whatever the engine makes of its name.
    [[nodiscard]] int descriptor() const { return opened_.get(); }
    [[nodiscard]] bool is_empty() const;
    // Removes the files that a task left. False when one of them still has a writer, or can't be removed, or they are
    // too many.
    [[nodiscard]] bool clear(const WriterCheck& writers) const;

  private:
    TaskFolder(ScratchPath folder, UniqueFd opened) : folder_(std::move(folder)), opened_(std::move(opened)) {}

    ScratchPath folder_;
    UniqueFd opened_;
};

}  // namespace tessera::engine
