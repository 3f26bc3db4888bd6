#include "http/message/header_parameters.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "core/hex.hpp"
#include "core/text.hpp"
#include "http/message/request.hpp"

namespace tessera::http {

namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

bool is_token_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~/").find(c) != std::string_view::npos;
}

class Cursor {
  public:
    explicit Cursor(std::string_view text) : rest_(text) {}

    [[nodiscard]] bool at_end() const { return rest_.empty(); }
    void skip_blanks() {
        while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
    }
    bool take(char c) {
        if (rest_.empty() || rest_.front() != c) return false;
        rest_.remove_prefix(1);
        return true;
    }
    std::string_view take_token() {
        const auto end = std::ranges::find_if_not(rest_, is_token_char);
        const auto token = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
        rest_.remove_prefix(token.size());
        return token;
    }
    // Up to the next ';', without the blanks around it: clients forget quotes.
    std::optional<std::string> take_unquoted() {
        auto value = rest_.substr(0, rest_.find(';'));
        rest_.remove_prefix(value.size());
        while (!value.empty() && is_blank(value.back())) value.remove_suffix(1);
        if (value.empty() || value.find('"') != std::string_view::npos) return std::nullopt;
        return std::string(value);
    }
    // After the opening quote. A backslash escapes a quote or a backslash and stands for itself otherwise: some clients
    // send Windows paths as they are.
    std::optional<std::string> take_quoted() {
        std::string value;
        while (!rest_.empty()) {
            const char c = rest_.front();
            rest_.remove_prefix(1);
            if (c == '"') return value;
            if (c == '\\' && !rest_.empty() && (rest_.front() == '"' || rest_.front() == '\\')) {
                value += rest_.front();
                rest_.remove_prefix(1);
            } else {
                value += c;
            }
        }
        return std::nullopt;
    }

  private:
    std::string_view rest_;
};

std::string latin1_to_utf8(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (code < 0x80) {
            out += c;
        } else {
            out += static_cast<char>(0xc0 | (code >> 6));
            out += static_cast<char>(0x80 | (code & 0x3f));
        }
    }
    return out;
}

}  // namespace

const std::string* ParameterisedValue::find(std::string_view name) const {
    const auto found = std::ranges::find(parameters, name, &Parameter::name);
    return found == parameters.end() ? nullptr : &found->value;
}

std::optional<ParameterisedValue> parse_parameterised(std::string_view text) {
    if (std::ranges::any_of(text, [](char c) { return is_control(c) && c != '\t'; })) return std::nullopt;
    Cursor cursor(text);
    ParameterisedValue parsed;
    cursor.skip_blanks();
    parsed.token = lower_case(cursor.take_token());
    if (parsed.token.empty()) return std::nullopt;
    for (;;) {
        cursor.skip_blanks();
        if (cursor.at_end()) return parsed;
        if (!cursor.take(';')) return std::nullopt;
        cursor.skip_blanks();
        if (cursor.at_end()) return parsed;

        std::string name = lower_case(cursor.take_token());
        if (name.empty() || parsed.find(name) != nullptr || !cursor.take('=')) return std::nullopt;
        auto value = cursor.take('"') ? cursor.take_quoted() : cursor.take_unquoted();
        if (!value) return std::nullopt;
        parsed.parameters.push_back({std::move(name), *std::move(value)});
    }
}

std::optional<std::string> decode_extended_value(std::string_view text) {
    const auto first = text.find('\'');
    const auto second = first == std::string_view::npos ? first : text.find('\'', first + 1);
    if (second == std::string_view::npos) return std::nullopt;
    const auto charset = text.substr(0, first);
    const auto encoded = text.substr(second + 1);

    std::string bytes;
    for (std::size_t i = 0; i < encoded.size(); ++i) {
        if (encoded[i] != '%') {
            if (is_control(encoded[i]) || static_cast<unsigned char>(encoded[i]) >= 0x80) return std::nullopt;
            bytes += encoded[i];
            continue;
        }
        std::array<std::uint8_t, 1> byte{};
        if (i + 2 >= encoded.size() || !from_hex(encoded.substr(i + 1, 2), byte)) return std::nullopt;
        bytes += static_cast<char>(byte[0]);
        i += 2;
    }
    if (equal_ignoring_case(charset, "utf-8")) return bytes;
    if (equal_ignoring_case(charset, "iso-8859-1")) return latin1_to_utf8(bytes);
    return std::nullopt;
}

}  // namespace tessera::http
