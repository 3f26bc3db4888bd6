#include "worker/slot_gate.hpp"

namespace tessera::worker {

SlotGate::Slot SlotGate::enter(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    const auto self = queue_.insert(queue_.end(), '\0');
    const bool my_turn = changed_.wait(lock, stop, [&] { return free_ > 0 && queue_.begin() == self; });
    queue_.erase(self);
    if (my_turn) --free_;
    lock.unlock();
    changed_.notify_all();  // the next in line may have a free slot, too
    return my_turn ? Slot(*this) : Slot();
}

void SlotGate::leave() {
    {
        const std::lock_guard lock(mutex_);
        ++free_;
    }
    changed_.notify_all();
}

void SlotGate::Slot::give_back() {
    if (gate_ != nullptr) std::exchange(gate_, nullptr)->leave();
}

}  // namespace tessera::worker
