#include "app/remote/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cerrno>
#include <chrono>

namespace tessera::remote {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;

constexpr std::uint64_t largest_journal = std::uint64_t{1} << 30;
constexpr std::string_view stage_names[] = {"begun", "submitted", "done", "failed"};

json::object object_of(const FileMark& mark) {
    return {{"size", mark.size}, {"modified_ns", mark.modified_ns}, {"sha256", mark.sha256}};
}

FileMark mark_in(const json::value& value) {
    return {value.at("size").to_number<std::uint64_t>(), value.at("modified_ns").to_number<std::int64_t>(),
            std::string(value.at("sha256").as_string())};
}

std::string text_in(const json::object& object, std::string_view name) {
    const json::value* value = object.if_contains(name);
    return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

void add_placed(json::object& to, const Placed& placed) {
    to["output"] = placed.output;
    to["result"] = object_of(placed.result);
    to["placing"] = object_of(placed.placing);
}

Placed placed_in(const json::object& object) {
    Placed placed{text_in(object, "output"), {}, {}};
    if (placed.output.empty()) return placed;
    placed.result = mark_in(object.at("result"));
    placed.placing = mark_in(object.at("placing"));
    return placed;
}

std::span<const std::uint8_t> bytes_of(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// Where lines are replaced by later ones, most of a journal is of no use any more.
std::string compact(const std::map<std::string, Entry, std::less<>>& entries) {
    std::string text;
    for (const auto& [work, entry] : entries) text += line_of(entry) + "\n";
    return text;
}

}  // namespace

Result<FileMark> mark_of(const fs::path& path) {
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0) return from_errno(path.string());
    if (!S_ISREG(found.st_mode)) return Error{ErrorCode::invalid_request, path.string() + ": not a file", {}};
    const std::int64_t time = std::int64_t{found.st_mtim.tv_sec} * 1'000'000'000 + found.st_mtim.tv_nsec;
    return FileMark{static_cast<std::uint64_t>(found.st_size), time};
}

bool Placed::is_there() const {
    if (output.empty()) return false;
    const auto there = mark_of(output);
    return there && (there->same_time(result) || there->same_time(placing));
}

bool Entry::has_all_results() const {
    return has_result() && std::ranges::all_of(further, &Placed::is_there);
}

std::string line_of(const Entry& entry) {
    json::object line{{"work", entry.work},
                      {"stage", stage_names[static_cast<std::size_t>(entry.stage)]},
                      {"input", object_of(entry.input)},
                      {"key", entry.key},
                      {"asset_id", entry.asset_id},
                      {"job_id", entry.job_id}};
    if (!entry.first.output.empty()) add_placed(line, entry.first);
    if (!entry.further.empty()) {
        json::array& all = line["further"].emplace_array();
        for (const Placed& each : entry.further) add_placed(all.emplace_back(json::object()).as_object(), each);
    }
    if (entry.stage == Stage::failed) {
        line["error"] = entry.error;
        line["code"] = entry.code;
    }
    return json::serialize(line);
}

std::optional<Entry> entry_of(std::string_view text) {
    try {
        const json::value value = json::parse(text);
        const json::object& line = value.as_object();
        Entry entry;
        entry.work = text_in(line, "work");
        const std::string stage = text_in(line, "stage");
        const auto named = std::ranges::find(stage_names, std::string_view(stage));
        if (entry.work.empty() || named == std::end(stage_names)) return std::nullopt;
        entry.stage = static_cast<Stage>(named - std::begin(stage_names));
        entry.input = mark_in(line.at("input"));
        entry.key = text_in(line, "key");
        entry.asset_id = text_in(line, "asset_id");
        entry.job_id = text_in(line, "job_id");
        entry.first = placed_in(line);
        if (const json::value* all = line.if_contains("further")) {
            for (const json::value& each : all->as_array()) entry.further.push_back(placed_in(each.as_object()));
        }
        entry.error = text_in(line, "error");
        entry.code = text_in(line, "code");
        return entry;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

Result<Journal> Journal::open(const fs::path& file) {
    Journal journal;
    journal.file_ = file;
    // A lock of its own: the journal itself is replaced when it is made smaller.
    const fs::path lock = file.string() + ".lock";
    journal.lock_ = UniqueFd(::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!journal.lock_) return from_errno("open " + lock.string());
    if (::flock(journal.lock_.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK) return from_errno("lock " + lock.string());
        return Error{ErrorCode::conflict, "another run is working on the same result", {}};
    }
    ::futimens(journal.lock_.get(), nullptr);  // it is in use, and not old
    std::size_t lines = 0;
    if (std::error_code none; fs::exists(file, none)) {
        const auto text = read_whole_file(file, largest_journal);
        if (!text) return text.error();
        for (std::string_view rest = *text; !rest.empty();) {
            const std::size_t end = rest.find('\n');
            if (auto entry = entry_of(rest.substr(0, end))) {
                const std::string work = entry->work;
                journal.entries_.insert_or_assign(work, std::move(*entry));
            }
            ++lines;
            rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
        }
    }
    // Also where a killed run left half a line, to which the next would be added.
    if (lines != journal.entries_.size() || lines == 0) {
        if (auto written = replace_file(file, compact(journal.entries_), 0600); !written) return written.error();
    }
    return journal;
}

const Entry* Journal::find(std::string_view work) const {
    const auto found = entries_.find(work);
    return found == entries_.end() ? nullptr : &found->second;
}

Result<void> Journal::put(const Entry& entry) {
    const UniqueFd fd(::open(file_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
    if (!fd) return from_errno("open " + file_.string());
    if (auto written = write_all(fd.get(), bytes_of(line_of(entry) + "\n")); !written) return written;
    if (::fdatasync(fd.get()) != 0) return from_errno("sync " + file_.string());
    entries_.insert_or_assign(entry.work, entry);
    return {};
}

void remove_old_journals(const fs::path& folder, std::chrono::hours older_than) {
    std::error_code ignored;
    const auto limit = fs::file_time_type::clock::now() - older_than;
    for (const fs::directory_entry& found : fs::directory_iterator(folder, ignored)) {
        if (found.last_write_time(ignored) < limit && !ignored) fs::remove(found.path(), ignored);
    }
}

}  // namespace tessera::remote
