// What is to be done with every file of a batch, and what all of its files share.
#pragma once

#include <boost/json/object.hpp>
#include <deque>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/remote/calls.hpp"
#include "app/remote/journal.hpp"
#include "app/remote/refusal.hpp"
#include "app/remote/service.hpp"
#include "app/remote/uploads.hpp"

namespace tessera::remote {

struct Order {
    std::string operation;
    boost::json::object options{};  // as the request has them
    std::string account_id{};
    // What tells the same order from another one: the options as they were typed, and the content of files in them.
    std::string identity{};
    bool retry_failed = false;   // files whose jobs failed in an earlier run
    std::size_t most_jobs = 64;  // in flight at once
    // Gives a file that is ready its name, instead of `own`, the result of an earlier run, where that is there. Throws
    // std::exception where it can't.
    std::function<void(const std::filesystem::path& made, const std::filesystem::path& to, bool own)> place;

    // The name of one file's work, the same in every run.
    [[nodiscard]] std::string work_of(const Address& service, const std::filesystem::path& input,
                                      const std::filesystem::path& output) const;
};

// Jobs that may be in flight: the plan's limit is kept to instead of being run into.
class Slots {
  public:
    explicit Slots(std::size_t most) : most_(most) {}
    // Calls `use` as soon as there is one.
    void take(std::function<void()> use);
    // For a job that is in flight already, whatever the limit.
    void take_now() { ++taken_; }
    void give_back();

    [[nodiscard]] std::size_t taken() const { return taken_; }

  private:
    const std::size_t most_;
    std::size_t taken_ = 0;
    std::deque<std::function<void()>> waiting_;
};

// The end of one file.
enum class Ending { done, skipped, failed, left };

struct FileReport {
    std::filesystem::path input;
    std::filesystem::path output;
    Ending ending = Ending::left;
    Refusal refusal{};  // of one that failed
    bool failed_before = false;
    std::string asset_id{};
    std::string job_id{};
    std::uint64_t source_bytes = 0;
    boost::json::object artifact{};  // of one that this run has done
    struct Further {
        std::filesystem::path output;
        boost::json::object artifact;
    };
    std::vector<Further> further{};  // beside it
    boost::json::object result{};    // of its job
};

}  // namespace tessera::remote
