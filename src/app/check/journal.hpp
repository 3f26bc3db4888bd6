// How far a check has come, in a file: one that was killed goes on when it is started again. Lines of JSON: the run,
// then findings and places. What follows the last place is done again, but for what was moved meanwhile.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "app/check/finding.hpp"
#include "core/clock.hpp"
#include "core/file.hpp"

namespace tessera::app {

struct CheckRun {
    std::string id{};        // names its quarantine: 20261116T181500Z
    std::string began_at{};  // ISO 8601
    // Only a run of the same goes on.
    bool checksums = false;
    bool repair = false;
    std::string stores{};  // which database and which blobs, as a digest
};

enum class CheckPhase { database, leftovers, rows, blobs, done };

struct CheckPlace {
    CheckPhase phase = CheckPhase::database;
    std::string cursor{};
    std::int64_t blobs = 0;   // compared with their rows
    std::uint64_t bytes = 0;  // read
};

class CheckJournal {
  public:
    // Goes on with the run that the file holds, if it is the same as `wanted` but for its id and its begin, or begins
    // it. Ends the command when another check is at work on it.
    CheckJournal(const std::filesystem::path& file, const CheckRun& wanted, bool anew);

    [[nodiscard]] const CheckRun& run() const { return run_; }
    [[nodiscard]] const CheckPlace& place() const { return place_; }
    [[nodiscard]] bool goes_on() const { return goes_on_; }

    // Those of the earlier part of this run that stand, in order.
    void replay(const std::function<void(const Finding&)>& use);
    // Whether an earlier part told of it after its last place.
    [[nodiscard]] bool knows(const Finding& finding) const;
    void add(const Finding& finding);
    void reached(const CheckPlace& place);
    // The check is over: the file goes.
    void finish();

  private:
    using Name = std::pair<std::string, std::string>;  // kind, and where

    void read();
    bool begin_from(const std::string& line, const CheckRun& wanted);
    void append(const boost::json::object& line);

    const std::filesystem::path path_;
    UniqueFd file_;
    CheckRun run_;
    CheckPlace place_;
    bool goes_on_ = false;
    std::uint64_t place_ends_at_ = 0;  // in the file
    std::set<Name> moved_since_;       // after the last place
};

}  // namespace tessera::app
