#include "app/process/output_name.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "app/command_failed.hpp"
#include "app/remote/plan.hpp"
#include "core/image_format.hpp"
#include "core/text.hpp"
#include "operations/looks_target.hpp"
#include "operations/registry.hpp"

namespace tessera::app {
namespace {

constexpr std::string_view archive_extension = "pmtiles";

std::string extension_of(const std::string& file) {
    std::string extension = std::filesystem::path(file).extension().string();
    if (!extension.empty()) extension.erase(0, 1);
    return lower_case(extension);
}

// ".jpg, .png or .webp"
std::string alternatives(const std::vector<std::string>& all) {
    std::string text;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i > 0) text += i + 1 == all.size() ? " or " : ", ";
        text += all[i];
    }
    return text;
}

std::vector<std::string> extensions_for(const std::vector<std::string_view>& formats) {
    std::vector<std::string> all;
    for (const std::string_view name : formats) {
        if (const auto format = image_format_from_string(name)) {  // auto is none
            all.push_back("." + std::string(file_extension(*format)));
        }
    }
    return all;
}

}  // namespace

std::string extensions_of(const std::vector<std::string_view>& formats) {
    return alternatives(extensions_for(formats));
}

OutputName::OutputName(const operations::Operation& operation, std::string output)
    : output_(std::move(output)), extension_(extension_of(output_)) {
    const operations::OptionTable& options = operation.options();
    makes_archives_ = operation.makes_tileset();
    if (!makes_archives_ || options.find(operations::OptionRole::result_kind) != nullptr) {
        if (const operations::Option* row = options.find(operations::OptionRole::result_format)) formats_ = row->names;
    }
    if (makes_archives_ && formats_.empty() && !is_archive()) {
        throw CommandFailed(ExitCode::usage,
                            output_ + ": the result is an archive of tiles: name it " + expected_extensions());
    }
}

bool OutputName::is_archive() const {
    return makes_archives_ && extension_ == archive_extension;
}

std::optional<std::string> OutputName::format(std::string_view typed) const {
    if (is_archive()) return std::nullopt;
    const auto named = remote::format_named_by(output_);
    if (named && typed == operations::automatic) {
        throw CommandFailed(ExitCode::usage, output_ +
                                                 ": --format auto chooses the format: leave the extension out, "
                                                 "and the right one is added");
    }
    if (!typed.empty()) {
        if (!named || to_string(*named) == typed) return std::nullopt;
        throw CommandFailed(ExitCode::usage, output_ + ": the name says " + std::string(to_string(*named)) +
                                                 " and --format says " + std::string(typed) + ": change one of them");
    }
    if (named && std::ranges::find(formats_, to_string(*named)) != formats_.end()) {
        return std::string(to_string(*named));
    }
    throw CommandFailed(ExitCode::usage,
                        output_ + ": " +
                            (extension_.empty() ? "the name has no extension that tells a format"
                                                : "." + extension_ + " is no format that can be written") +
                            "; name it " + expected_extensions() + ", or say which with --format");
}

std::string OutputName::artifact(std::string_view typed) const {
    std::string said(is_archive() ? operations::archive_kind : operations::picture_kind);
    if (typed.empty() || typed == said) return said;
    throw CommandFailed(ExitCode::usage, output_ + ": the name says " + said + " and --artifact says " +
                                             std::string(typed) + ": change one of them");
}

std::string OutputName::expected_extensions() const {
    std::vector<std::string> all = extensions_for(formats_);
    if (makes_archives_) all.push_back("." + std::string(archive_extension));
    return alternatives(all);
}

}  // namespace tessera::app
