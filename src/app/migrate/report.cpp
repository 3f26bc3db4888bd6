#include "app/migrate/report.hpp"

#include <boost/json/serialize.hpp>
#include <iostream>

#include <unistd.h>

namespace tessera::app {

MigrationReport::MigrationReport(bool json) : json_(json), bar_(!json && isatty(STDERR_FILENO) == 1) {}

void MigrationReport::progress(const std::string& step, std::uint64_t done, std::uint64_t total) {
    if (step != step_) {
        step_ = step;
        next_line_ = {};
        bar_.clear();
    }
    bar_.show(total == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(total), "  " + step);
    const auto now = std::chrono::steady_clock::now();
    if (!json_ || (now < next_line_ && done != total)) return;
    next_line_ = now + std::chrono::milliseconds(500);
    line({{"event", "progress"}, {"step", step}, {"done", done}, {"total", total}});
}

void MigrationReport::finished(const std::string& step, std::uint64_t total) {
    progress(step, total, total);
    bar_.keep();
}

void MigrationReport::note(const boost::json::object& for_programs, const std::string& for_people) {
    bar_.clear();
    if (json_) {
        line(for_programs);
    } else {
        std::cout << for_people << std::flush;
    }
}

void MigrationReport::line(const boost::json::object& object) const {
    std::cout << boost::json::serialize(object) << std::endl;
}

}  // namespace tessera::app
