#include "app/remote/order.hpp"

#include <utility>

#include "core/hash.hpp"
#include "core/hex.hpp"

namespace tessera::remote {

std::string Order::work_of(const Address& service, const std::filesystem::path& input,
                           const std::filesystem::path& output) const {
    std::error_code none;
    const auto whole = [&none](const std::filesystem::path& path) {
        return path.empty() ? std::string() : std::filesystem::absolute(path, none).lexically_normal().string();
    };
    std::string text;
    for (const std::string& part : {service.text(), account_id, operation, identity, whole(input), whole(output)})
        text += std::to_string(part.size()) + ":" + part;
    return to_hex(sha256(text));
}

void Slots::take(std::function<void()> use) {
    if (taken_ >= most_) {
        waiting_.push_back(std::move(use));
        return;
    }
    ++taken_;
    use();
}

void Slots::give_back() {
    --taken_;
    if (waiting_.empty() || taken_ >= most_) return;
    const std::function<void()> next = std::move(waiting_.front());
    waiting_.pop_front();
    ++taken_;
    next();
}

}  // namespace tessera::remote
