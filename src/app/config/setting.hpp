// One configuration key: its name, what it takes, what it means, and the member of Config that it sets. The table of
// all settings is the single source for parsing, validation, `config print` and the reference.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/config/config.hpp"

namespace tessera::app {

using RawValue = std::variant<std::string, std::vector<std::string>>;

enum class Secrecy { open, hidden, url_password };

class Setting {
  public:
    // Reads `raw` into the configuration; false when the value is not one of those expected.
    using Set = std::function<bool(Config&, const RawValue&)>;
    using Get = std::function<std::string(const Config&)>;

    Setting(std::string_view name, std::string expected, std::string_view description, Set set, Get get)
        : name_(name),
          expected_(std::move(expected)),
          description_(description),
          set_(std::move(set)),
          get_(std::move(get)) {}

    Setting secret(Secrecy secrecy) && {
        secrecy_ = secrecy;
        return std::move(*this);
    }

    // The value is a path where it begins with `prefix`, after it.
    Setting path(std::string_view prefix = "") && {
        path_prefix_ = prefix;
        return std::move(*this);
    }

    [[nodiscard]] std::string_view name() const { return name_; }
    [[nodiscard]] std::string_view section() const { return name_.substr(0, name_.find('.')); }
    [[nodiscard]] const std::string& expected() const { return expected_; }  // "a size from 1KiB to 1MiB"
    [[nodiscard]] std::string_view description() const { return description_; }
    [[nodiscard]] std::string environment_name() const;  // TESSERA_RATE_LIMITS__ENABLED
    [[nodiscard]] bool set(Config& config, const RawValue& raw) const { return set_(config, raw); }
    [[nodiscard]] std::string value_in(const Config& config) const { return get_(config); }
    [[nodiscard]] std::string shown_in(const Config& config) const;  // with secrets hidden
    [[nodiscard]] Secrecy secrecy() const { return secrecy_; }
    // `raw` as it was written in a file of `folder`: a relative path in it begins there.
    [[nodiscard]] RawValue from_file_in(const std::filesystem::path& folder, RawValue raw) const;

  private:
    std::string_view name_;
    std::string expected_;
    std::string_view description_;
    Set set_;
    Get get_;
    Secrecy secrecy_ = Secrecy::open;
    std::optional<std::string_view> path_prefix_;
};

// Every key, in the order of the reference.
const std::vector<Setting>& all_settings();
const Setting* find_setting(std::string_view name);

struct SectionNote {
    std::string_view name;
    std::string_view purpose;
};
std::span<const SectionNote> all_sections();

}  // namespace tessera::app
