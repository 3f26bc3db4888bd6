#include "core/phase_times.hpp"

#include <utility>

namespace tessera {
namespace {

std::shared_ptr<PhaseTimes>& of_this_thread() {
    thread_local std::shared_ptr<PhaseTimes> times;
    return times;
}

}  // namespace

const std::shared_ptr<PhaseTimes>& PhaseTimes::current() {
    return of_this_thread();
}

PhaseTimes::Scope::Scope(std::shared_ptr<PhaseTimes> times)
    : before_(std::exchange(of_this_thread(), std::move(times))) {}

PhaseTimes::Scope::~Scope() {
    of_this_thread() = std::move(before_);
}

}  // namespace tessera
