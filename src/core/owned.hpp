// Owned: what a C library made, released by the function that it has for that.
#pragma once

#include <memory>

namespace tessera {

template <auto Release>
struct Releaser {
    void operator()(auto* object) const { Release(object); }
};

template <typename T, auto Release>
using Owned = std::unique_ptr<T, Releaser<Release>>;

}  // namespace tessera
