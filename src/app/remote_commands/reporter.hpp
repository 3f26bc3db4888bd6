// What a batch shows while it works: a bar on a terminal, lines elsewhere, JSON for programs.
#pragma once

#include <string>

#include "app/remote/batch.hpp"

namespace tessera::app {

struct Showing {
    bool as_json = false;
    bool quiet = false;  // failures are told nevertheless
};

class Reporter {
  public:
    Reporter(Showing showing, std::size_t files);
    Reporter(const Reporter&) = delete;
    Reporter& operator=(const Reporter&) = delete;
    ~Reporter() { clear(); }

    void ended(const remote::FileReport& report);
    void moved(const remote::Totals& totals);
    // The last word, and the command's exit code.
    int finish(const remote::Batch::Outcome& outcome);

    // For commands whose files end in another way.
    void line(const std::string& for_people, const boost::json::object& for_programs);
    void failure(const std::string& subject, const remote::Refusal& refusal, boost::json::object for_programs);

  private:
    void clear();

    const Showing showing_;
    const bool has_bar_;
    const bool one_line_each_;
    std::size_t drawn_ = 0;
};

}  // namespace tessera::app
