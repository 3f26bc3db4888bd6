// Waiting in tests: for a condition, never for a time.
#pragma once

#include <chrono>
#include <thread>

namespace tessera::test {

// Far longer than anything takes on a machine that is busy: only a test that fails waits this long.
inline constexpr std::chrono::seconds patience{120};

// Whether the condition became true.
template <typename Condition>
bool eventually(Condition condition) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

}  // namespace tessera::test
