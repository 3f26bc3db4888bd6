#include "service/uploads/account_rooms.hpp"

namespace tessera::service {

bool AccountRooms::is_short(const Uuid& account) const {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(account);
    return found != known_.end() && found->second.is_short;
}

bool AccountRooms::takes(const Uuid& account, std::int64_t size, Timestamp now) const {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(account);
    if (found == known_.end()) return false;
    const Known& known = found->second;
    return now >= known.asked_at && now - known.asked_at < good_for && known.room.takes(size);
}

void AccountRooms::note(const Uuid& account, const Room& room, bool is_short, Timestamp now) {
    const std::lock_guard lock(mutex_);
    if (known_.size() >= most_kept) known_.clear();
    known_.insert_or_assign(account, Known{room, now, is_short});
}

void AccountRooms::take(const Uuid& account, std::int64_t size) {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(account);
    if (found == known_.end()) return;
    found->second.room.bytes -= size;
    --found->second.room.assets;
}

}  // namespace tessera::service
