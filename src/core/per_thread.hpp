// What a thread remembers for one object, so that serving takes no lock. The thread may outlive the object, so that it
// goes by a number and not by an address.
#pragma once

#include <atomic>
#include <cstdint>

namespace tessera {

// Of an object, among all that threads may have served.
inline std::uint64_t next_owner_id() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

// The calling thread's own. A thread that serves several owners in turn forgets between them.
template <typename Memory>
Memory& of_this_thread(std::uint64_t owner) {
    thread_local std::uint64_t served = 0;
    thread_local Memory memory;
    if (served != owner) {
        memory = Memory();
        served = owner;
    }
    return memory;
}

}  // namespace tessera
