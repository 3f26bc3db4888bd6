// What a check tells: findings as they come, how far it is at a terminal, and the end.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

#include "app/check/finding.hpp"
#include "app/check/journal.hpp"
#include "metadata/inventory.hpp"

namespace tessera::app {

class CheckReport {
  public:
    CheckReport(bool json, bool at_terminal) : json_(json), at_terminal_(at_terminal) {}

    void begin(const CheckRun& run, bool goes_on, const CheckPlace& place);
    void expect(const metadata::InventorySize& size, bool checksums);
    void found(const Finding& finding);
    // Blobs listed so far, in the last phase, of which nobody knows how many there are.
    void show(const CheckPlace& place, std::int64_t listed = 0);
    void end(const CheckPlace& place);

    // Notes aside.
    [[nodiscard]] std::int64_t findings() const { return findings_; }
    [[nodiscard]] std::int64_t moved() const { return moved_; }

  private:
    using Steady = std::chrono::steady_clock;

    [[nodiscard]] std::string time_left(const CheckPlace& place) const;
    void clear_line();

    const bool json_;
    const bool at_terminal_;
    const Steady::time_point began_ = Steady::now();
    Steady::time_point shown_{};
    bool line_is_drawn_ = false;
    CheckPlace began_at_;  // where this part of the run began
    metadata::InventorySize expected_;
    bool checksums_ = false;
    std::map<FindingKind, std::int64_t> counts_;
    std::int64_t findings_ = 0;
    std::int64_t moved_ = 0;
};

}  // namespace tessera::app
