// Options declared once, in a table: parsing, defaults, refusals, JSON Schema, command-line flags and the
// documentation all come from it.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace tessera::operations {

enum class OptionType { integer, number, boolean, choice, colour, uuid, object, list };

// What a row means to others than its operation.
enum class OptionRole {
    plain,
    asset,          // names an image of the account's
    tileset,        // names the tileset that the job makes another version of
    result_format,  // chooses the image format of what is made
    result_kind,    // chooses what the artifact is: picture_kind or archive_kind
};
inline constexpr std::string_view picture_kind = "picture";
inline constexpr std::string_view archive_kind = "archive";

// One row. Strings are literals.
struct Option {
    std::string_view name;
    OptionType type = OptionType::integer;
    OptionRole role = OptionRole::plain;
    std::string_view description;
    bool is_required = false;
    boost::json::value default_value;     // null: the option is left out, or the operation fills it in
    std::string_view default_note;        // says in words what the operation fills in
    std::int64_t minimum = 0;             // of an integer, or of a list's length
    std::int64_t maximum = 0;             //
    double least = 0;                     // of a number, which may have a fraction
    double most = 0;                      //
    std::vector<std::string_view> names;  // of a choice; of an integer: words that may stand in its place
    std::vector<std::int64_t> values;     // of an integer that has few; empty: minimum to maximum
    std::vector<Option> fields;           // of an object, or of each object in a list
    bool is_absent_by_default = false;    // of an object: where none is given there is none, not one of defaults

    Option required() &&;
    Option defaults_to(boost::json::value value) &&;
    Option filled_in(std::string_view note) &&;
    Option with_role(OptionRole its) &&;
    Option absent_by_default() &&;
    Option or_named(std::vector<std::string_view> words) &&;  // an integer
};

Option integer(std::string_view name, std::int64_t minimum, std::int64_t maximum, std::string_view description);
Option number(std::string_view name, double least, double most, std::string_view description);
Option one_of(std::string_view name, std::initializer_list<std::int64_t> values, std::string_view description);
Option choice(std::string_view name, std::vector<std::string_view> names, std::string_view description);
Option boolean(std::string_view name, std::string_view description);
Option colour(std::string_view name, std::string_view description);
Option uuid(std::string_view name, std::string_view description);
Option asset(std::string_view name, std::string_view description);
Option tileset(std::string_view name, std::string_view description);
Option object(std::string_view name, std::vector<Option> fields, std::string_view description);
Option list(std::string_view name, std::int64_t minimum, std::int64_t maximum, std::vector<Option> fields,
            std::string_view description);

// Where the OpenAPI document describes colours.
inline constexpr std::string_view colour_schema = "#/components/schemas/Colour";

class OptionTable {
  public:
    OptionTable(std::initializer_list<Option> options) : options_(options) {}
    explicit OptionTable(std::vector<Option> options) : options_(std::move(options)) {}

    // Refuses unknown names, wrong types and values out of range, fills in defaults, and gives every value one
    // spelling (800.0 is 800, "#FFF" is "#ffffff"). Keys come out in the table's order.
    [[nodiscard]] Result<boost::json::object> parse(const boost::json::object& given) const;
    // `options` in the table's order, those of each object in a list too, for an operation that filled in more.
    [[nodiscard]] boost::json::object in_order(const boost::json::object& options) const;
    [[nodiscard]] boost::json::object schema() const;
    [[nodiscard]] std::span<const Option> rows() const { return options_; }
    // The first row of that role, not looking into lists and objects; null where there is none.
    [[nodiscard]] const Option* find(OptionRole role) const;

  private:
    std::vector<Option> options_;
};

// Calls visit(object, row) wherever `options` may have a field of that role, at any depth: `object` is what has it, or
// could have it.
template <typename Object, typename Visit>
void visit_role(std::span<const Option> rows, Object& options, OptionRole role, const Visit& visit) {
    for (const Option& row : rows) {
        if (row.role == role) visit(options, row);
        auto* value = row.fields.empty() ? nullptr : options.if_contains(row.name);
        if (value == nullptr) continue;
        if (auto* object = value->if_object()) visit_role(row.fields, *object, role, visit);
        if (auto* list = value->if_array()) {
            for (auto& item : *list) {
                if (auto* object = item.if_object()) visit_role(row.fields, *object, role, visit);
            }
        }
    }
}

// A number as people write it: 0.3, 100.
std::string number_text(double number);

// A refusal of an option's value, as the caller sees it.
Error invalid_option(std::string message);

}  // namespace tessera::operations
