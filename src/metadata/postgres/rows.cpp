#include "metadata/postgres/rows.hpp"

#include <charconv>

#include <libpq-fe.h>

#include "core/hex.hpp"
#include "metadata/postgres/connection.hpp"

namespace tessera::metadata::postgres {
namespace {

template <typename Number>
Number parsed(std::string_view text) {
    Number number{};
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (fault != std::errc() || end != text.data() + text.size()) {
        throw Failure(internal_error("postgres: a number was expected in a result"));
    }
    return number;
}

}  // namespace

void Rows::Clear::operator()(pg_result* result) const {
    PQclear(result);
}

bool Rows::next() {
    column_ = 0;
    return ++row_ < PQntuples(result_.get());
}

std::int64_t Rows::affected() const {
    const std::string_view text = PQcmdTuples(result_.get());
    return text.empty() ? 0 : parsed<std::int64_t>(text);
}

bool Rows::is_null() const {
    return PQgetisnull(result_.get(), row_, column_) == 1;
}

void Rows::unreadable(std::string_view what) const {
    throw Failure(internal_error("postgres: a stored " + std::string(what) + " can't be read"));
}

std::string_view Rows::view() {
    const char* text = PQgetvalue(result_.get(), row_, column_);
    const auto size = static_cast<std::size_t>(PQgetlength(result_.get(), row_, column_));
    ++column_;
    return {text, size};
}

std::int64_t Rows::integer() {
    return parsed<std::int64_t>(view());
}

double Rows::real() {
    return parsed<double>(view());
}

Uuid Rows::uuid() {
    const std::optional<Uuid> id = Uuid::parse(view());
    if (!id) throw Failure(internal_error("postgres: an id was expected in a result"));
    return *id;
}

Digest Rows::digest() {
    Digest digest;
    const std::string_view text = view();
    if (!text.starts_with("\\x") || !from_hex(text.substr(2), digest)) {
        throw Failure(internal_error("postgres: a digest was expected in a result"));
    }
    return digest;
}

std::optional<std::int64_t> Rows::optional_integer() {
    if (is_null()) return ++column_, std::nullopt;
    return integer();
}

std::optional<Uuid> Rows::optional_uuid() {
    if (is_null()) return ++column_, std::nullopt;
    return uuid();
}

std::optional<Timestamp> Rows::optional_time() {
    if (is_null()) return ++column_, std::nullopt;
    return time();
}

std::optional<std::string> Rows::optional_text() {
    if (is_null()) return ++column_, std::nullopt;
    return text();
}

}  // namespace tessera::metadata::postgres
