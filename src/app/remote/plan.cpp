#include "app/remote/plan.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/text.hpp"

namespace tessera::remote {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view archive_extension = "pmtiles";
constexpr std::string_view archive_type = "application/vnd.pmtiles";

Error refused(std::string text) {
    return {ErrorCode::invalid_request, std::move(text), {}};
}

Result<void> add_folder(const fs::path& folder, bool recursive, const fs::path& except, Pictures& pictures) {
    std::vector<Picture> own;
    std::error_code failed;
    for (auto at = fs::recursive_directory_iterator(folder, failed); at != fs::recursive_directory_iterator();
         at.increment(failed)) {
        const bool hidden = at->path().filename().string().starts_with('.');
        std::error_code unseen;
        if (at->is_directory(unseen)) {
            const bool results = fs::equivalent(at->path(), except, unseen) && !unseen;
            if (hidden || results || !recursive) at.disable_recursion_pending();
            continue;
        }
        if (hidden || !at->is_regular_file(unseen)) continue;
        if (!format_named_by(at->path())) {
            ++pictures.passed_over;
            continue;
        }
        own.push_back({at->path(), at->path().lexically_relative(folder)});
    }
    if (failed) return refused(folder.string() + ": " + failed.message());
    std::ranges::sort(own, {}, &Picture::place);
    std::ranges::move(own, std::back_inserter(pictures.found));
    return {};
}

// What the result will be, as far as can be told: the extension, or nothing where only the service knows.
std::string expected_extension(const ResultKind& kind, const fs::path& input) {
    if (kind.is_archive) return std::string(archive_extension);
    if (kind.format) return std::string(file_extension(*kind.format));
    const auto own = format_named_by(input);
    const bool kept = own && std::ranges::find(kind.can_be, *own) != kind.can_be.end();
    return kept ? std::string(file_extension(*own)) : std::string();
}

// Names of files are compared without their case: on some file systems they are the same.
Result<void> refuse_collisions(const ResultKind& kind, const std::vector<Picture>& all) {
    struct Taken {
        std::string extension;
        const fs::path* file;
    };
    std::multimap<std::string, Taken> by_stem;
    for (const Picture& each : all) {
        const std::string extension = expected_extension(kind, each.file);
        const std::string name =
            extension.empty() ? std::string() : lower_case(with_extension(each.place, extension).string());
        const std::string stem = lower_case(fs::path(each.place).replace_extension().string());
        const auto [from, to] = by_stem.equal_range(stem);
        for (auto other = from; other != to; ++other) {
            if (!name.empty() && !other->second.extension.empty() && other->second.extension != name) continue;
            return refused(other->second.file->string() + " and " + each.file.string() +
                           " would become the same file: give one of them another name, or run them apart");
        }
        by_stem.emplace(stem, Taken{name, &each.file});
    }
    return {};
}

}  // namespace

Result<Pictures> pictures_in(const std::vector<fs::path>& inputs, bool recursive, const fs::path& except) {
    Pictures pictures;
    for (const fs::path& input : inputs) {
        std::error_code failed;
        const fs::file_status status = fs::status(input, failed);
        if (!fs::exists(status)) return Error{ErrorCode::not_found, input.string() + ": not there", {}};
        if (fs::is_directory(status)) {
            if (auto added = add_folder(input, recursive, except, pictures); !added) return added.error();
        } else if (fs::is_regular_file(status)) {
            pictures.found.push_back({input, input.filename()});
        } else {
            return refused(input.string() + ": neither a file nor a folder");
        }
    }
    return pictures;
}

std::optional<ImageFormat> format_named_by(const fs::path& file) {
    std::string extension = lower_case(file.extension().string());
    if (extension.empty()) return std::nullopt;
    extension.erase(0, 1);
    if (extension == "jpg") return ImageFormat::jpeg;
    if (extension == "heic") return ImageFormat::heif;
    return image_format_from_string(extension);
}

std::string extension_for(std::string_view content_type) {
    if (content_type == archive_type) return std::string(archive_extension);
    for (const ImageFormat format : all_image_formats) {
        if (content_type == media_type(format)) return std::string(file_extension(format));
    }
    return {};
}

fs::path with_extension(const fs::path& name, std::string_view extension) {
    if (extension.empty()) return name;
    const auto own = format_named_by(name);
    if (own && file_extension(*own) == extension) return name;
    if (!own) return name.string() + "." + std::string(extension);  // scan.2024 becomes scan.2024.webp
    return fs::path(name).replace_extension(std::string(extension));
}

std::optional<std::string> wrong_name(const fs::path& name, std::string_view extension) {
    const auto told = format_named_by(name);
    if (!told || extension.empty() || file_extension(*told) == extension) return std::nullopt;
    return name.string() + ": no " + std::string(to_string(*told)) +
           " of the picture is smaller than its source, whose " + std::string(extension) + " is the result: name it " +
           with_extension(name, extension).filename().string() + ", or convert it with resize";
}

fs::path name_of_further(const fs::path& first, std::string_view kind, std::string_view extension) {
    std::string name = (format_named_by(first) ? first.stem() : first.filename()).string() + "-" + std::string(kind);
    if (!extension.empty()) name += "." + std::string(extension);
    return fs::path(first).replace_filename(name);
}

std::optional<fs::path> Work::target() const {
    if (output.empty()) return std::nullopt;
    if (!takes_extension) return output;
    if (extension.empty()) return std::nullopt;
    return with_extension(output, extension);
}

Result<Plan> plan_of(const PlanRequest& request) {
    Plan plan;
    std::error_code none;
    const bool many = request.inputs.size() > 1 || fs::is_directory(request.inputs.front(), none);
    plan.into_folder = many || fs::is_directory(request.output, none) || request.output.filename().empty();
    if (!plan.into_folder) {
        if (!fs::exists(request.inputs.front(), none))
            return Error{ErrorCode::not_found, request.inputs.front().string() + ": not there", {}};
        plan.works.push_back({request.inputs.front(), request.output, false, {}});
        return plan;
    }
    if (fs::exists(request.output, none) && !fs::is_directory(request.output, none))
        return refused(request.output.string() + " is a file: many results need a folder");
    const auto pictures = pictures_in(request.inputs, request.recursive, request.output);
    if (!pictures) return pictures.error();
    const std::vector<Picture>& all = pictures->found;
    plan.not_pictures = pictures->passed_over;
    if (auto apart = refuse_collisions(request.kind, all); !apart) return apart.error();
    for (const Picture& each : all) {
        plan.works.push_back(
            {each.file, request.output / each.place, true, expected_extension(request.kind, each.file)});
    }
    return plan;
}

}  // namespace tessera::remote
