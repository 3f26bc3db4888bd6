// What a cache says to a question: the thing itself, that somebody would have to wait for it, that there is none, or
// that there is one which can't be read.
#pragma once

#include <cassert>
#include <cstdint>
#include <utility>
#include <variant>

#include "core/error.hpp"

namespace tessera::service {

enum class AnswerState : std::uint8_t {
    hit,
    must_wait,  // ask again where waiting is allowed
    absent,     // nothing to show to whoever asks; the error says why
    damaged,    // its bytes are wrong or out of reach; the error says what the client is told and what the log
};

template <typename T>
class [[nodiscard]] Answer {
  public:
    Answer(T found) : state_(AnswerState::hit), what_(std::in_place_index<1>, std::move(found)) {}
    static Answer must_wait() { return Answer(AnswerState::must_wait, Nothing{}); }
    static Answer absent(Error why) { return Answer(AnswerState::absent, std::move(why)); }
    static Answer damaged(Error why) { return Answer(AnswerState::damaged, std::move(why)); }
    // The same answer to the question that needed `other` first, which is not a hit.
    template <typename U>
    static Answer same_as(Answer<U>&& other) {
        assert(!other);
        const AnswerState state = other.state();
        if (state == AnswerState::must_wait) return must_wait();
        return Answer(state, std::move(other).error());
    }

    [[nodiscard]] AnswerState state() const { return state_; }
    explicit operator bool() const { return state_ == AnswerState::hit; }

    T& operator*() { return *found(); }
    T* operator->() { return found(); }

    // Of what is absent or damaged.
    [[nodiscard]] Error&& error() && {
        assert(state_ == AnswerState::absent || state_ == AnswerState::damaged);
        return std::get<2>(std::move(what_));
    }

  private:
    using Nothing = std::monostate;
    template <typename What>
    Answer(AnswerState state, What what) : state_(state), what_(std::move(what)) {}

    T* found() {
        assert(state_ == AnswerState::hit);
        return std::get_if<1>(&what_);
    }

    AnswerState state_;
    std::variant<Nothing, T, Error> what_;
};

}  // namespace tessera::service
