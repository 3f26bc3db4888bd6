// Values on their way to PostgreSQL, as text.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.hpp"
#include "core/hash.hpp"
#include "core/uuid.hpp"

namespace tessera::metadata::postgres {

class Parameters {
  public:
    Parameters() = default;
    template <typename... Arguments>
    explicit Parameters(const Arguments&... arguments) {
        values_.reserve(sizeof...(arguments));
        (add(arguments), ...);
    }

    void add(std::integral auto value) { values_.emplace_back(std::to_string(value)); }
    void add(bool value) { values_.emplace_back(value ? "t" : "f"); }
    void add(double value) {
        char text[32];
        const auto end = std::to_chars(std::begin(text), std::end(text), value).ptr;
        values_.emplace_back(std::string(text, end));
    }
    void add(std::string_view text) { values_.emplace_back(std::string(text)); }
    void add(const std::string& text) { values_.emplace_back(text); }
    void add(const char* text) { values_.emplace_back(text); }
    void add(const Uuid& id) { values_.emplace_back(id.to_string()); }
    void add(const Digest& digest);
    void add(Timestamp time) { add(to_unix_millis(time)); }
    void add(Millis span) { add(static_cast<std::int64_t>(span.count())); }
    void add(std::nullopt_t) { values_.emplace_back(std::nullopt); }
    template <typename T>
    void add(const std::optional<T>& value) {
        if (value) {
            add(*value);
        } else {
            add(std::nullopt);
        }
    }
    void add_array(std::span<const std::optional<std::string>> elements);

    [[nodiscard]] int count() const { return static_cast<int>(values_.size()); }
    [[nodiscard]] std::vector<const char*> pointers() const;

  private:
    std::vector<std::optional<std::string>> values_;
};

}  // namespace tessera::metadata::postgres
