// What a statement gave: rows to step through, each read from left to right.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/clock.hpp"
#include "core/hash.hpp"
#include "core/uuid.hpp"

struct pg_result;

namespace tessera::metadata::postgres {

class Rows {
  public:
    explicit Rows(pg_result* result) : result_(result) {}

    bool next();  // the next row, if there is one
    [[nodiscard]] std::int64_t affected() const;

    [[nodiscard]] std::int64_t integer();
    [[nodiscard]] int small() { return static_cast<int>(integer()); }
    [[nodiscard]] bool flag() { return view() == "t"; }
    [[nodiscard]] double real();
    [[nodiscard]] std::string text() { return std::string(view()); }
    [[nodiscard]] Uuid uuid();
    [[nodiscard]] Digest digest();
    [[nodiscard]] Timestamp time() { return from_unix_millis(integer()); }
    [[nodiscard]] std::optional<std::int64_t> optional_integer();
    [[nodiscard]] std::optional<Uuid> optional_uuid();
    [[nodiscard]] std::optional<Timestamp> optional_time();
    [[nodiscard]] std::optional<std::string> optional_text();
    [[noreturn]] void unreadable(std::string_view what) const;

  private:
    struct Clear {
        void operator()(pg_result* result) const;
    };
    std::string_view view();
    [[nodiscard]] bool is_null() const;

    std::unique_ptr<pg_result, Clear> result_;
    int row_ = -1;
    int column_ = 0;
};

}  // namespace tessera::metadata::postgres
