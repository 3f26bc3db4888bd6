// What is known of each file of a batch, on disk before the next step is taken: a run that was killed at any moment
// goes on where it was, and nothing is submitted twice.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/file.hpp"
#include "core/result.hpp"

namespace tessera::remote {

enum class Stage { begun, submitted, done, failed };

// A file as it was when it was looked at.
struct FileMark {
    std::uint64_t size = 0;
    std::int64_t modified_ns = 0;
    std::string sha256{};  // empty: not looked at so closely

    // By size and time; by content where only the time differs and the content is known.
    [[nodiscard]] bool same_time(const FileMark& other) const {
        return size == other.size && modified_ns == other.modified_ns;
    }
};

// Of a regular file; an error for anything else.
Result<FileMark> mark_of(const std::filesystem::path& path);

// A result that was put somewhere.
struct Placed {
    std::string output{};
    FileMark result{};   // as it was made
    FileMark placing{};  // of the one that is about to get that name: a kill may come before it is known as the result

    [[nodiscard]] bool is_there() const;
};

struct Entry {
    std::string work;  // what is done, of which file, to where: the same in every run
    Stage stage = Stage::begun;
    FileMark input{};
    std::string key{};  // the Idempotency-Key, chosen before the first byte is sent
    std::string asset_id{};
    std::string job_id{};
    Placed first{};                 // of this or of an earlier run; no output: there is none yet
    std::vector<Placed> further{};  // beside it
    std::string error{};            // of a job that failed for a reason that stays
    std::string code{};

    // Whether the result is there as it was made; and whether all of them are.
    [[nodiscard]] bool has_result() const { return first.is_there(); }
    [[nodiscard]] bool has_all_results() const;
};

class Journal {
  public:
    // Makes it where it is not there. Another run that has it open is an error: `conflict`.
    static Result<Journal> open(const std::filesystem::path& file);

    [[nodiscard]] const Entry* find(std::string_view work) const;
    // Replaces what is known of this work, durably.
    Result<void> put(const Entry& entry);

  private:
    std::filesystem::path file_;
    UniqueFd lock_;
    std::map<std::string, Entry, std::less<>> entries_;
};

// One line of it, without its end; and back. Nothing for a line that is none, as a killed run may leave one.
std::string line_of(const Entry& entry);
std::optional<Entry> entry_of(std::string_view line);

// Journals that nobody has used for so long that the service has forgotten what they name.
void remove_old_journals(const std::filesystem::path& folder, std::chrono::hours older_than);

}  // namespace tessera::remote
