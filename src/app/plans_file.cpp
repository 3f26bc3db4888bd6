#include "app/plans_file.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "app/config/values.hpp"
#include "app/toml_text.hpp"
#include "app/trouble.hpp"
#include "core/file.hpp"

namespace tessera::app {
namespace {

constexpr std::uint64_t largest_file = 1 << 20;

bool is_code(std::string_view text) {
    const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-'; };
    return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), fits);
}

// "a size in bytes, such as 20MiB or 1048576": all forms that a limit takes.
std::string forms_of(const PlanLimitField& field) {
    if (field.unit == "bytes") return "a size of 1 byte or more, such as \"20MiB\", or a whole number of bytes";
    if (field.unit == "seconds") {
        return "a time of 1 second or more, such as \"90s\", \"15m\", \"1h\" or \"7d\", or a whole number of seconds";
    }
    return "a whole number of " + std::string(field.unit) + ", 1 or more";
}

// Reads one table of a plan and notes what is wrong in it, each with its line.
class PlanReader {
  public:
    // `what` the table is: "the plan pro".
    PlanReader(const toml::table& table, std::string source, std::string what)
        : table_(table), source_(std::move(source)), what_(std::move(what)) {}

    void text(std::string_view key, std::string& target, bool required = true) {
        const toml::node* node = take(key, required);
        if (node == nullptr) return;
        const auto* value = node->as_string();
        if (value == nullptr || (required && value->get().empty())) return expect(key, "a text in quotes");
        target = value->get();
    }

    void flag(std::string_view key, bool& target) {
        const toml::node* node = take(key, false);
        if (node == nullptr) return;
        const auto* value = node->as_boolean();
        if (value == nullptr) return expect(key, "true or false");
        target = value->get();
    }

    void number(std::string_view key, std::int64_t& target) {
        const toml::node* node = take(key, true);
        if (node == nullptr) return;
        const auto* value = node->as_integer();
        if (value == nullptr || value->get() < 0) return expect(key, "a whole number, 0 or more");
        target = value->get();
    }

    void limit(const PlanLimitField& field, PlanLimits& limits) {
        const toml::node* node = take(field.name, false);
        if (node == nullptr) return;
        std::optional<std::int64_t> value;
        if (const auto* number = node->as_integer()) value = number->get();
        if (const auto* text = node->as_string()) {
            if (field.unit == "bytes") value = parse_bytes(text->get());
            if (field.unit == "seconds") {
                if (const auto time = parse_duration(text->get()))
                    value = std::chrono::floor<std::chrono::seconds>(*time).count();
            }
        }
        if (!value || *value < 1) return expect(field.name, forms_of(field));
        limits.*field.member = value;
    }

    const toml::node* take(std::string_view key, bool required) {
        known_.push_back(key);
        const toml::node* node = table_.get(key);
        if (node == nullptr && required) complain(table_, "lacks " + std::string(key));
        return node;
    }

    void refuse_unknown_keys() {
        for (const auto& [name, node] : table_) {
            if (std::find(known_.begin(), known_.end(), name.str()) != known_.end()) continue;
            const auto near = closest(name.str(), known_);
            complain(node, "has the unknown key " + std::string(name.str()) +
                               (near ? "; did you mean " + std::string(*near) + "?" : ""));
        }
    }

    // The value of `key`, which is there, is not what it must be.
    void expect(std::string_view key, std::string_view expected) {
        complain(*table_.get(key), std::string(key) + " must be " + std::string(expected));
    }
    void complain(const toml::node& where, const std::string& problem) {
        problems_.push_back({where.source().begin.line, what_ + ": " + problem});
    }

    struct Problem {
        std::uint32_t line;
        std::string text;
    };
    // In the order of their lines; empty when all is well.
    [[nodiscard]] std::string told() {
        std::stable_sort(problems_.begin(), problems_.end(),
                         [](const Problem& a, const Problem& b) { return a.line < b.line; });
        std::string all;
        for (const Problem& one : problems_) {
            all += (all.empty() ? "" : "\n") + source_ + ":" + std::to_string(one.line) + ": " + one.text;
        }
        return all;
    }
    void add(const PlanReader& other) {
        problems_.insert(problems_.end(), other.problems_.begin(), other.problems_.end());
    }

  private:
    const toml::table& table_;
    const std::string source_;
    const std::string what_;
    std::vector<std::string_view> known_;
    std::vector<Problem> problems_;
};

// What the plan is called in messages, as far as that is known.
std::string name_of(const toml::table& table) {
    const auto* code = table.get_as<std::string>("code");
    return code == nullptr || code->get().empty() ? "the plan" : "the plan " + code->get();
}

Result<Plan> read_plan(const toml::table& table, const std::string& source) {
    Plan plan;
    PlanReader reader(table, source, name_of(table));
    reader.text("code", plan.code);
    reader.text("display_name", plan.display_name);
    reader.text("description", plan.description, false);
    reader.text("status", plan.status, false);
    reader.flag("is_public", plan.is_public);
    reader.number("billing_amount_minor", plan.billing_amount_minor);
    reader.text("billing_interval", plan.billing_interval, false);
    reader.number("included_processing_credits", plan.included_processing_credits);
    const toml::node* limits = reader.take("limits", false);
    reader.refuse_unknown_keys();
    if (!plan.code.empty() && !is_code(plan.code)) reader.expect("code", "1 to 64 characters of a-z, 0-9, _ and -");
    if (limits != nullptr && !limits->is_table()) reader.expect("limits", "a table");
    if (limits != nullptr && limits->is_table()) {
        PlanReader limit_reader(*limits->as_table(), source, name_of(table) + ", limits");
        for (const PlanLimitField& field : plan_limit_fields()) limit_reader.limit(field, plan.limits);
        limit_reader.refuse_unknown_keys();
        reader.add(limit_reader);
    }
    if (std::string problems = reader.told(); !problems.empty()) return trouble(std::move(problems));
    return plan;
}

std::string line_of(const std::string& source, const toml::node& node) {
    return source + ":" + std::to_string(node.source().begin.line) + ": ";
}

}  // namespace

Result<std::vector<Plan>> parse_plans(std::string_view text, std::string_view source_name) {
    const std::string source(source_name);
    const Result<toml::table> parsed = parse_toml(text, source);
    if (!parsed) return parsed.error();
    for (const auto& [name, node] : *parsed) {
        if (name.str() != "plan") {
            return trouble(line_of(source, node) + "unknown key " + std::string(name.str()) +
                           "; plans are written as [[plan]]");
        }
    }
    const toml::array* tables = (*parsed)["plan"].as_array();
    if (tables == nullptr || tables->empty()) return trouble(source + ": holds no [[plan]]");

    std::vector<Plan> plans;
    for (const toml::node& node : *tables) {
        const toml::table* table = node.as_table();
        if (table == nullptr) return trouble(line_of(source, node) + "a plan must be a table");
        Result<Plan> plan = read_plan(*table, source);
        if (!plan) return plan.error();
        const bool twice = std::any_of(plans.begin(), plans.end(), [&](const Plan& p) { return p.code == plan->code; });
        if (twice) return trouble(line_of(source, node) + "the plan " + plan->code + " is there twice");
        plans.push_back(std::move(*plan));
    }
    return plans;
}

Result<std::vector<Plan>> read_plans_file(const std::string& path) {
    const Result<std::string> text = read_whole_file(path, largest_file);
    if (!text) return trouble("can't read the plans in " + path + ": " + told(text.error()));
    return parse_plans(*text, path);
}

std::vector<Plan> built_in_plans() {
    Result<std::vector<Plan>> plans = parse_plans(built_in_plans_toml(), "plans.toml");
    if (!plans) std::abort();  // a unit test reads them, so a build that passed its tests has good ones
    return std::move(*plans);
}

}  // namespace tessera::app
