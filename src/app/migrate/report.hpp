// Tells how a migration comes along: a bar on a terminal, or a JSON object a line.
#pragma once

#include <boost/json/object.hpp>
#include <chrono>
#include <cstdint>
#include <string>

#include "app/process/progress_bar.hpp"

namespace tessera::app {

class MigrationReport {
  public:
    explicit MigrationReport(bool json);

    // `done` and `total` are in bytes or rows, as the step has it. Not every call is shown.
    void progress(const std::string& step, std::uint64_t done, std::uint64_t total);
    void finished(const std::string& step, std::uint64_t total);
    void note(const boost::json::object& for_programs, const std::string& for_people);

  private:
    void line(const boost::json::object& object) const;

    const bool json_;
    ProgressBar bar_;
    std::string step_;
    std::chrono::steady_clock::time_point next_line_{};
};

}  // namespace tessera::app
