#include "app/check/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cerrno>
#include <fstream>

#include "app/command_failed.hpp"

namespace tessera::app {
namespace {

namespace json = boost::json;

// The object of a line; empty where it is none, such as one that a kill cut off.
json::object parse(const std::string& line) {
    boost::system::error_code failed;
    json::value value = json::parse(line, failed);
    return !failed && value.is_object() ? std::move(value.get_object()) : json::object();
}

std::string text_of(const json::object& object, std::string_view name) {
    const json::value* value = object.if_contains(name);
    return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

bool flag_of(const json::object& object, std::string_view name) {
    const json::value* value = object.if_contains(name);
    return value != nullptr && value->is_bool() && value->get_bool();
}

std::int64_t number_of(const json::object& object, std::string_view name) {
    const json::value* value = object.if_contains(name);
    return value != nullptr && value->is_number() ? value->to_number<std::int64_t>() : 0;
}

json::object as_json(const CheckRun& run) {
    return {{"run", run.id},
            {"began_at", run.began_at},
            {"checksums", run.checksums},
            {"repair", run.repair},
            {"stores", run.stores}};
}

CheckRun run_from(const json::object& line) {
    return {text_of(line, "run"), text_of(line, "began_at"), flag_of(line, "checksums"), flag_of(line, "repair"),
            text_of(line, "stores")};
}

json::object as_json(const CheckPlace& place) {
    return {{"phase", static_cast<int>(place.phase)},
            {"cursor", place.cursor},
            {"blobs", place.blobs},
            {"bytes", static_cast<std::int64_t>(place.bytes)}};
}

CheckPlace place_from(const json::object& line) {
    return {static_cast<CheckPhase>(number_of(line, "phase")), text_of(line, "cursor"), number_of(line, "blobs"),
            static_cast<std::uint64_t>(number_of(line, "bytes"))};
}

}  // namespace

CheckJournal::CheckJournal(const std::filesystem::path& file, const CheckRun& wanted, bool anew)
    : path_(file), file_(::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {
    if (!file_) throw CommandFailed(from_errno("open " + path_.string()));
    if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
        throw CommandFailed(ExitCode::conflict, "another check is at work here: it holds " + path_.string());
    }
    std::string first;
    std::getline(std::ifstream(path_), first);
    goes_on_ = !anew && begin_from(first, wanted);
    if (goes_on_) {
        read();
        return;
    }
    if (::ftruncate(file_.get(), 0) != 0) throw CommandFailed(from_errno("write " + path_.string()));
    run_ = wanted;
    append(as_json(run_));
}

bool CheckJournal::begin_from(const std::string& line, const CheckRun& wanted) {
    run_ = run_from(parse(line));
    return !run_.id.empty() && run_.checksums == wanted.checksums && run_.repair == wanted.repair &&
           run_.stores == wanted.stores;
}

void CheckJournal::read() {
    std::ifstream in(path_, std::ios::binary);
    std::uint64_t at = 0;
    for (std::string line; std::getline(in, line);) {
        at += line.size() + 1;
        const json::object object = parse(line);
        if (object.contains("phase")) {
            place_ = place_from(object);
            place_ends_at_ = at;
            moved_since_.clear();
        } else if (const auto finding = finding_from(object); finding && !finding->moved_to.empty()) {
            moved_since_.emplace(to_string(finding->kind), finding->where);
        }
    }
    // A line that a kill cut off must not run into the next one.
    if (at > 0 && ::lseek(file_.get(), 0, SEEK_END) != static_cast<off_t>(at) && ::write(file_.get(), "\n", 1) != 1) {
        throw CommandFailed(from_errno("write " + path_.string()));
    }
}

void CheckJournal::replay(const std::function<void(const Finding&)>& use) {
    std::ifstream in(path_, std::ios::binary);
    std::uint64_t at = 0;
    for (std::string line; std::getline(in, line);) {
        at += line.size() + 1;
        const auto finding = finding_from(parse(line));
        if (finding && (at <= place_ends_at_ || !finding->moved_to.empty())) use(*finding);
    }
}

bool CheckJournal::knows(const Finding& finding) const {
    return moved_since_.contains({std::string(to_string(finding.kind)), finding.where});
}

void CheckJournal::add(const Finding& finding) {
    append(to_json(finding));
}

void CheckJournal::reached(const CheckPlace& place) {
    place_ = place;
    append(as_json(place));
}

void CheckJournal::finish() {
    ::unlink(path_.c_str());
}

// One write, so that a kill leaves whole lines, or the beginning of the last one.
void CheckJournal::append(const json::object& object) {
    const std::string line = json::serialize(object) + "\n";
    const auto written = write_all(file_.get(), {reinterpret_cast<const std::uint8_t*>(line.data()), line.size()});
    if (!written) throw CommandFailed(written.error());
}

}  // namespace tessera::app
