// Whether to look again for a little while before going to sleep. Under load the next request comes within
// microseconds, and then being put to sleep and woken costs more than that, most of all on a virtual machine, where the
// client's core pays too. So long as nearly all waits are short, they are waited out awake; as soon as they are not,
// never. A client that asks for one tile after the other gets them twice as fast, for a fifth less processor time each.
#pragma once

#include <algorithm>
#include <chrono>

namespace tessera::http {

class ShortWaits {
  public:
    // About what a sleep costs: whoever stays awake no longer than that never wastes more than sleeping would.
    static constexpr std::chrono::microseconds longest{20};

    [[nodiscard]] bool expected() const { return credit_ >= enough; }
    void note(std::chrono::nanoseconds waited) {
        credit_ = waited <= longest ? std::min(credit_ + 1, most) : std::max(credit_ - price_of_a_long_one, 0);
    }

  private:
    static constexpr int enough = 16;
    static constexpr int most = 32;
    static constexpr int price_of_a_long_one = 4;  // so four of five must be short
    int credit_ = 0;
};

}  // namespace tessera::http
