#include "app/check/report.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <iostream>

#include "app/remote/bar.hpp"

namespace tessera::app {
namespace {

constexpr std::chrono::milliseconds between_lines{200};

}  // namespace

void CheckReport::begin(const CheckRun& run, bool goes_on, const CheckPlace& place) {
    began_at_ = place;
    if (goes_on) {
        std::cerr << "going on with the check that began at " << run.began_at << ", after " << place.blobs
                  << " blobs (--restart begins anew)\n";
    }
}

void CheckReport::expect(const metadata::InventorySize& size, bool checksums) {
    expected_ = size;
    checksums_ = checksums;
}

void CheckReport::found(const Finding& finding) {
    clear_line();
    ++counts_[finding.kind];
    if (!is_note(finding.kind)) ++findings_;
    if (!finding.moved_to.empty()) ++moved_;
    std::cout << (json_ ? boost::json::serialize(to_json(finding)) : for_people(finding)) << std::endl;
}

void CheckReport::show(const CheckPlace& place, std::int64_t listed) {
    if (!at_terminal_ || Steady::now() - shown_ < between_lines) return;
    shown_ = Steady::now();
    std::string line = "checked " + std::to_string(place.blobs) + " of " + std::to_string(expected_.blobs) + " blobs";
    if (checksums_) line += ", read " + remote::bytes_text(place.bytes) + " of " + remote::bytes_text(expected_.bytes);
    if (listed > 0) line += "; looking for orphans among " + std::to_string(listed);
    line += time_left(place);
    std::cerr << "\r\x1b[K" << line << std::flush;
    line_is_drawn_ = true;
}

// By bytes where they are what takes the time, else by blobs.
std::string CheckReport::time_left(const CheckPlace& place) const {
    const double done = checksums_ ? static_cast<double>(place.bytes - began_at_.bytes)
                                   : static_cast<double>(place.blobs - began_at_.blobs);
    const double total = checksums_ ? static_cast<double>(expected_.bytes) - static_cast<double>(began_at_.bytes)
                                    : static_cast<double>(expected_.blobs - began_at_.blobs);
    const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(Steady::now() - began_);
    if (done <= 0 || total <= done || elapsed < std::chrono::seconds(1)) return "";
    const auto left = static_cast<std::int64_t>(static_cast<double>(elapsed.count()) * (total - done) / done);
    return ", about " + remote::time_text(std::chrono::milliseconds(left)) + " left";
}

void CheckReport::clear_line() {
    if (line_is_drawn_) std::cerr << "\r\x1b[K" << std::flush;
    line_is_drawn_ = false;
}

void CheckReport::end(const CheckPlace& place) {
    clear_line();
    if (json_) {
        boost::json::object by_kind;
        for (const auto& [kind, count] : counts_) by_kind[to_string(kind)] = count;
        std::cout << boost::json::serialize(boost::json::object{{"summary", by_kind},
                                                                {"findings", findings_},
                                                                {"moved", moved_},
                                                                {"blobs", place.blobs},
                                                                {"bytes_read", place.bytes},
                                                                {"clean", findings_ == 0}})
                  << std::endl;
        return;
    }
    std::cout << "checked " << place.blobs << " blobs" << (checksums_ ? ", all of their bytes" : "") << ": ";
    if (findings_ == 0) std::cout << "nothing is wrong";
    std::string parts;
    for (const auto& [kind, count] : counts_) {
        if (is_note(kind)) continue;
        parts += (parts.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(to_string(kind));
    }
    std::cout << parts;
    if (moved_ > 0) std::cout << "; " << moved_ << " moved into the quarantine";
    std::cout << std::endl;
}

}  // namespace tessera::app
