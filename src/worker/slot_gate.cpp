#include "worker/slot_gate.hpp"

namespace tessera::worker {

SlotGate::Slot SlotGate::enter(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    if (stop.stop_requested()) return {};
    if (free_ > 0) {
        --free_;
        return Slot(*this);
    }
    Waiter self;
    const auto place = waiting_.insert(waiting_.end(), &self);
    self.wakes.wait(lock, stop, [&] { return self.served; });
    if (self.served) return Slot(*this);
    waiting_.erase(place);
    return {};
}

void SlotGate::leave() {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) {
        ++free_;
        return;
    }
    Waiter* next = waiting_.front();
    waiting_.pop_front();
    next->served = true;
    next->wakes.notify_one();  // under the lock: it is gone as soon as it has woken
}

void SlotGate::Slot::give_back() {
    if (gate_ != nullptr) std::exchange(gate_, nullptr)->leave();
}

}  // namespace tessera::worker
