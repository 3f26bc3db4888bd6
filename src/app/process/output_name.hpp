// What the name of a result says: a file never holds something else than its extension tells.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::operations {
class Operation;
}

namespace tessera::app {

// ".jpg, .png or .webp"
std::string extensions_of(const std::vector<std::string_view>& formats);

class OutputName {
  public:
    // Ends the command where the operation makes nothing that such a name can hold.
    OutputName(const operations::Operation& operation, std::string output);

    // The format to ask for beside `typed`, the one of --format: nothing where that says it all, or where the archive's
    // default will do. Ends the command where neither name nor flag tells, or each tells something else.
    [[nodiscard]] std::optional<std::string> format(std::string_view typed) const;

    [[nodiscard]] bool is_archive() const;
    // Where the operation can make both: "picture" or "archive", `typed` or what the name says.
    [[nodiscard]] std::string artifact(std::string_view typed) const;

  private:
    [[nodiscard]] std::string expected_extensions() const;

    const std::string output_;
    std::string extension_;                  // in small letters, without the dot
    std::vector<std::string_view> formats_;  // of pictures
    bool makes_archives_ = false;
};

}  // namespace tessera::app
