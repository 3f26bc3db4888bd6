// Header values of the shape `token; name=value; name="quoted value"`, as Content-Type and Content-Disposition have.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::http {

struct ParameterisedValue {
    struct Parameter {
        std::string name;  // lower case
        std::string value;
    };
    std::string token;  // lower case: "form-data"
    std::vector<Parameter> parameters;

    [[nodiscard]] const std::string* find(std::string_view name) const;
};

// Nothing for what does not have that shape, and when a parameter comes twice.
std::optional<ParameterisedValue> parse_parameterised(std::string_view text);

// The extended notation of RFC 5987: charset'language'percent-encoded, as UTF-8. Nothing when it is malformed or in a
// charset other than UTF-8 and ISO-8859-1.
std::optional<std::string> decode_extended_value(std::string_view text);

}  // namespace tessera::http
