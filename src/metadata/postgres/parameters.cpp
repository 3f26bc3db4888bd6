#include "metadata/postgres/parameters.hpp"

#include "core/hex.hpp"

namespace tessera::metadata::postgres {

void Parameters::add(const Digest& digest) {
    values_.emplace_back("\\x" + to_hex(digest));
}

// {"an element","one with \" and \\",NULL}
void Parameters::add_array(std::span<const std::optional<std::string>> elements) {
    std::string text = "{";
    for (const std::optional<std::string>& element : elements) {
        if (text.size() > 1) text += ',';
        if (!element) {
            text += "NULL";
            continue;
        }
        text += '"';
        for (const char c : *element) {
            if (c == '"' || c == '\\') text += '\\';
            text += c;
        }
        text += '"';
    }
    text += '}';
    values_.emplace_back(std::move(text));
}

std::vector<const char*> Parameters::pointers() const {
    std::vector<const char*> pointers;
    pointers.reserve(values_.size());
    for (const auto& value : values_) pointers.push_back(value ? value->c_str() : nullptr);
    return pointers;
}

}  // namespace tessera::metadata::postgres
