#include "app/remote/bar.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace tessera::remote {
namespace {

constexpr std::size_t widest_bar = 30;
constexpr std::size_t narrowest_bar = 8;

std::string with_one_decimal(double value, const char* unit) {
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.1f %s", value, unit);
    return text.data();
}

std::size_t ended(const Totals& totals) {
    return totals.done + totals.skipped + totals.failed;
}

}  // namespace

std::string bytes_text(std::uint64_t bytes) {
    const auto value = static_cast<double>(bytes);
    if (bytes < 1'000) return std::to_string(bytes) + " B";
    if (bytes < 1'000'000) return with_one_decimal(value / 1e3, "kB");
    if (bytes < 1'000'000'000) return with_one_decimal(value / 1e6, "MB");
    return with_one_decimal(value / 1e9, "GB");
}

std::string time_text(Millis time) {
    const std::int64_t seconds = std::chrono::ceil<std::chrono::seconds>(time).count();
    if (seconds < 100) return std::to_string(seconds) + " s";
    const std::int64_t minutes = (seconds + 30) / 60;
    if (minutes < 60) return std::to_string(minutes) + " min";
    return std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}

std::string time_left_text(const Totals& totals) {
    // What an earlier run has done took this one no time.
    const std::size_t own = totals.done + totals.failed;
    const std::size_t left = totals.files - ended(totals);
    if (left == 0) return {};
    Millis time{0};
    if (totals.held) {
        // Windows open one after the other, whatever the speed in between.
        const auto windows =
            (static_cast<std::int64_t>(left) - 1) / std::max<std::int64_t>(1, totals.held->files_a_window);
        time = totals.held->left + windows * totals.held->window;
    }
    if (own > 0 && totals.elapsed >= Millis(2'000)) {
        const double each = static_cast<double>(totals.elapsed.count()) / static_cast<double>(own);
        time = std::max(time, Millis(static_cast<std::int64_t>(each * static_cast<double>(left))));
    }
    return time == Millis(0) ? std::string() : "about " + time_text(time) + " left";
}

std::string bar_line(const Totals& totals, std::size_t columns) {
    const std::size_t files = std::max<std::size_t>(1, totals.files);
    std::string head = " " + std::to_string(ended(totals)) + "/" + std::to_string(totals.files);
    if (totals.failed > 0) head += ", " + std::to_string(totals.failed) + " failed";
    // In the order of what matters.
    std::vector<std::string> parts;
    if (const std::string left = time_left_text(totals); !left.empty()) parts.push_back(left);
    if (!totals.waits_for.empty()) parts.push_back("waits for " + totals.waits_for);
    if (totals.jobs > 0) parts.push_back(std::to_string(totals.jobs) + (totals.jobs == 1 ? " job" : " jobs"));
    if (totals.sent_bytes > 0) parts.push_back(bytes_text(totals.sent_bytes) + " sent");
    if (totals.received_bytes > 0) parts.push_back(bytes_text(totals.received_bytes) + " received");

    if (head.size() + narrowest_bar + 2 > columns) return head.substr(1, columns);
    const std::size_t width = std::min(widest_bar, columns - head.size() - 2);
    const std::size_t filled = ended(totals) * width / files;
    std::string line = "[" + std::string(filled, '#') + std::string(width - filled, '.') + "]" + head;
    for (const std::string& part : parts) {
        if (line.size() + 2 + part.size() <= columns) line += ", " + part;
    }
    return line;
}

std::string end_line(const Totals& totals) {
    std::string line = std::to_string(totals.done) + " done";
    if (totals.skipped > 0) line += ", " + std::to_string(totals.skipped) + " done before";
    if (totals.failed > 0) line += ", " + std::to_string(totals.failed) + " failed";
    const std::size_t left = totals.files - ended(totals);
    if (left > 0) line += ", " + std::to_string(left) + " left";
    return line + " in " + time_text(totals.elapsed) + "; " + bytes_text(totals.sent_bytes) + " sent, " +
           bytes_text(totals.received_bytes) + " received";
}

}  // namespace tessera::remote
