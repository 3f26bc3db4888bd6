// What `tessera remote run` was asked for, as a batch: which files, which options, and what is refused before anything
// is sent.
#pragma once

#include <sys/types.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/process/option_flags.hpp"
#include "app/put_in_place.hpp"
#include "app/remote/plan.hpp"

namespace tessera::app {

struct RunArguments {
    std::vector<std::string> files;  // pictures or folders and, at last, the result
    std::string tileset;             // of an operation that changes one
    std::string source;              // of an operation that can do without
    std::string output;              // where files has none
    TypedOptions typed{};
    bool recursive = false;
    bool force = false;
    bool retry_failed = false;
    bool as_json = false;
    bool quiet = false;
    std::size_t concurrency = 6;
    std::size_t patience_s = 300;
};

struct RunRequest {
    remote::Plan plan;
    boost::json::object options;           // with {"file": …} where assets are named by files
    std::vector<std::string> named_files;  // those files, each once
    std::string output;
};

// Ends the command where the arguments make no sense, by the operation's own rules.
RunRequest run_request(const operations::Operation& operation, const RunArguments& arguments);

// The options with an asset in the place of each file; `asset_of` finds it.
boost::json::object with_assets(const operations::Operation& operation, boost::json::object options,
                                const std::function<std::string(const std::string& file)>& asset_of);

// The pictures of a batch, by whatever name: a result never replaces one.
class SourceFiles {
  public:
    explicit SourceFiles(const remote::Plan& plan);
    // Ends the command where `target` is one of them.
    void require_other(const std::filesystem::path& target) const;

  private:
    std::set<std::pair<dev_t, ino_t>> files_;
};

}  // namespace tessera::app
