// The slots that jobs run in: a counted gate that lets waiters through in the order in which they came. A slot that is
// given back goes straight to the first in line, and nobody else is woken.
#pragma once

#include <condition_variable>
#include <list>
#include <mutex>
#include <stop_token>
#include <utility>

namespace tessera::worker {

class SlotGate {
  public:
    explicit SlotGate(int slots) : free_(slots) {}

    // A slot, given back when it is destroyed. Empty when `stop` was requested first.
    class Slot {
      public:
        Slot() = default;
        explicit Slot(SlotGate& gate) : gate_(&gate) {}
        Slot(Slot&& other) noexcept : gate_(other.gate_) { other.gate_ = nullptr; }
        Slot& operator=(Slot&& other) noexcept {
            std::swap(gate_, other.gate_);
            return *this;
        }
        ~Slot() { give_back(); }
        void give_back();
        explicit operator bool() const { return gate_ != nullptr; }

      private:
        SlotGate* gate_ = nullptr;
    };

    [[nodiscard]] Slot enter(const std::stop_token& stop);

  private:
    struct Waiter {
        std::condition_variable_any wakes;
        bool served = false;
    };

    void leave();

    std::mutex mutex_;
    int free_;                    // only while nobody waits
    std::list<Waiter*> waiting_;  // the first to be served in front
};

}  // namespace tessera::worker
