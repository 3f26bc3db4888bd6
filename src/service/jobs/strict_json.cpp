#include "service/jobs/strict_json.hpp"

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/parse.hpp>
#include <cmath>
#include <string>
#include <vector>

namespace tessera::service {
namespace {

namespace json = boost::json;

// Walks a document without building it, and looks for what Boost.JSON takes in silence.
class Inspector {
  public:
    static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
    static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
    static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
    static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);

    [[nodiscard]] const std::string& complaint() const { return complaint_; }

    bool on_object_begin(json::error_code&) {
        objects_.push_back(names_.size());
        return true;
    }
    bool on_object_end(std::size_t, json::error_code& error) {
        const auto first = names_.begin() + static_cast<std::ptrdiff_t>(objects_.back());
        std::sort(first, names_.end());
        if (const auto twice = std::adjacent_find(first, names_.end()); twice != names_.end()) {
            return refuse("duplicate field '" + twice->substr(0, 64) + "'", error);
        }
        names_.erase(first, names_.end());
        objects_.pop_back();
        return true;
    }
    bool on_key_part(json::string_view part, std::size_t, json::error_code&) {
        name_.append(part.data(), part.size());
        return true;
    }
    bool on_key(json::string_view part, std::size_t, json::error_code&) {
        name_.append(part.data(), part.size());
        names_.push_back(std::move(name_));
        name_.clear();
        return true;
    }
    bool on_double(double value, json::string_view, json::error_code& error) {
        return std::isfinite(value) || refuse("a number is out of range", error);
    }

    bool on_document_begin(json::error_code&) { return true; }
    bool on_document_end(json::error_code&) { return true; }
    bool on_array_begin(json::error_code&) { return true; }
    bool on_array_end(std::size_t, json::error_code&) { return true; }
    bool on_string_part(json::string_view, std::size_t, json::error_code&) { return true; }
    bool on_string(json::string_view, std::size_t, json::error_code&) { return true; }
    bool on_number_part(json::string_view, json::error_code&) { return true; }
    bool on_int64(std::int64_t, json::string_view, json::error_code&) { return true; }
    bool on_uint64(std::uint64_t, json::string_view, json::error_code&) { return true; }
    bool on_bool(bool, json::error_code&) { return true; }
    bool on_null(json::error_code&) { return true; }
    bool on_comment_part(json::string_view, json::error_code&) { return true; }
    bool on_comment(json::string_view, json::error_code&) { return true; }

  private:
    bool refuse(std::string complaint, json::error_code& error) {
        complaint_ = std::move(complaint);
        error = json::error::syntax;
        return false;
    }

    std::string name_;
    std::vector<std::string> names_;    // of all objects that are open
    std::vector<std::size_t> objects_;  // where each open object's names start
    std::string complaint_;
};

Error refusal(const std::string& reason, std::size_t at) {
    return Error{ErrorCode::invalid_request, "invalid JSON: " + reason, {}}.with_hint(
        "the body is not understood from byte " + std::to_string(at) + " on");
}

json::parse_options options() {
    json::parse_options strict;
    strict.max_depth = max_json_depth;
    return strict;
}

}  // namespace

Result<json::value> parse_strict_json(std::string_view text) {
    json::basic_parser<Inspector> inspection(options());
    json::error_code error;
    const std::size_t read = inspection.write_some(false, text.data(), text.size(), error);
    if (!inspection.handler().complaint().empty()) return refusal(inspection.handler().complaint(), read);
    if (error) return refusal(error.message(), read);
    if (read != text.size()) return refusal("there is more after its end", read);

    json::value value = json::parse({text.data(), text.size()}, error, {}, options());
    if (error) return refusal(error.message(), 0);
    return value;
}

}  // namespace tessera::service
