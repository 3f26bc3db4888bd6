// Result<T>: a value or an Error. Exceptions stay inside a layer; a Result is what crosses from one to the next.
// Result<T, JobError> is the same for what fails after a job was accepted.
#pragma once

#include <cassert>
#include <optional>
#include <utility>
#include <variant>

#include "core/error.hpp"

namespace tessera {

template <typename T, typename E = Error>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(E error) : state_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }

    T& value() & { return *get(); }
    const T& value() const& { return *get(); }
    T&& value() && { return std::move(*get()); }
    T& operator*() & { return *get(); }
    const T& operator*() const& { return *get(); }
    T&& operator*() && { return std::move(*get()); }
    T* operator->() { return get(); }
    const T* operator->() const { return get(); }

    [[nodiscard]] const E& error() const& {
        assert(!ok());
        return *std::get_if<1>(&state_);
    }
    [[nodiscard]] E&& error() && {
        assert(!ok());
        return std::move(*std::get_if<1>(&state_));
    }

    T value_or(T fallback) && { return ok() ? std::move(*get()) : std::move(fallback); }

  private:
    T* get() {
        assert(ok());
        return std::get_if<0>(&state_);
    }
    const T* get() const {
        assert(ok());
        return std::get_if<0>(&state_);
    }
    std::variant<T, E> state_;
};

template <typename E>
class [[nodiscard]] Result<void, E> {
  public:
    Result() = default;
    Result(E error) : error_(std::move(error)) {}

    [[nodiscard]] bool ok() const { return !error_.has_value(); }
    explicit operator bool() const { return ok(); }

    [[nodiscard]] const E& error() const& {
        assert(!ok());
        return *error_;
    }
    [[nodiscard]] E&& error() && {
        assert(!ok());
        return std::move(*error_);
    }

  private:
    std::optional<E> error_;
};

}  // namespace tessera
