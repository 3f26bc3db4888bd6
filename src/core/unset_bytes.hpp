// Bytes that somebody else is about to set: unlike those of a plain vector, new ones are not set to zero first.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace tessera {

template <typename T>
struct LeavesUnset : std::allocator<T> {
    template <typename U>
    struct rebind {
        using other = LeavesUnset<U>;
    };
    template <typename U, typename... Values>
    void construct(U* at, Values&&... values) {
        if constexpr (sizeof...(Values) == 0) {
            ::new (static_cast<void*>(at)) U;
        } else {
            ::new (static_cast<void*>(at)) U(std::forward<Values>(values)...);
        }
    }
};

using UnsetBytes = std::vector<std::uint8_t, LeavesUnset<std::uint8_t>>;

}  // namespace tessera
