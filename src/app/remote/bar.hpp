// How far a batch has come, in one line for a terminal and one for the end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/remote/message.hpp"

namespace tessera::remote {

struct Totals {
    std::size_t files = 0;    // of the whole batch
    std::size_t done = 0;     //
    std::size_t skipped = 0;  // done by an earlier run
    std::size_t failed = 0;
    std::size_t jobs = 0;  // that the service works on
    std::uint64_t sent_bytes = 0;
    std::uint64_t received_bytes = 0;
    Millis elapsed{0};
    std::string waits_for{};  // "the rate limit of uploads, 34 s"; empty: for nothing but work
    // Where a rate limit holds the files that are left: how long yet, and what comes after.
    struct Held {
        Millis left{0};
        std::int64_t files_a_window = 1;
        Millis window{0};
    };
    std::optional<Held> held{};
};

std::string bytes_text(std::uint64_t bytes);  // 12.3 MB
std::string time_text(Millis time);           // 34 s, 5 min, 1 h 20 min

// Nothing before there is something to go by.
std::string time_left_text(const Totals& totals);

// No longer than `columns`; what matters least is left out first.
std::string bar_line(const Totals& totals, std::size_t columns);

// "997 done, 2 skipped, 1 failed of 1000 in 5 min; 12.3 MB sent, 4.5 MB received"
std::string end_line(const Totals& totals);

}  // namespace tessera::remote
