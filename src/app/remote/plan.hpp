// Which files a batch is made of, and what each result will be called: decided, and refused where two would have the
// same name, before anything is sent.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/image_format.hpp"
#include "core/result.hpp"

namespace tessera::remote {

// One result to be had.
struct Work {
    std::filesystem::path input{};   // empty: the operation takes no picture
    std::filesystem::path output{};  // empty: nothing is downloaded
    bool takes_extension = false;    // `output` has the input's extension: it gets that of the result's type
    std::string extension{};         // the one that it will probably be; empty: only the service knows

    // Where the result goes, as far as that is known before there is one.
    [[nodiscard]] std::optional<std::filesystem::path> target() const;
};

// What is known of the results before there are any.
struct ResultKind {
    bool is_archive = false;              // .pmtiles
    std::optional<ImageFormat> format{};  // asked for; otherwise mostly that of the source
    std::vector<ImageFormat> can_be{};    // what the operation writes
};

struct PlanRequest {
    std::vector<std::filesystem::path> inputs;
    std::filesystem::path output;
    bool recursive = false;
    ResultKind kind{};
};

struct Plan {
    std::vector<Work> works;
    bool into_folder = false;
    std::size_t not_pictures = 0;  // files of folders that were passed over
};

// A picture, and where it lies below what was asked for.
struct Picture {
    std::filesystem::path file;
    std::filesystem::path place;
};
struct Pictures {
    std::vector<Picture> found;
    std::size_t passed_over = 0;  // files of folders whose names say no picture
};

// Files as they were named, and those of folders in the order of their names, without hidden ones. The folder `except`
// is passed over.
Result<Pictures> pictures_in(const std::vector<std::filesystem::path>& inputs, bool recursive,
                             const std::filesystem::path& except = {});

// jpg and jpeg name jpeg, heic names heif; nothing where the name says no picture.
std::optional<ImageFormat> format_named_by(const std::filesystem::path& file);

// The extension of a result of that media type, without its dot; empty where it is none that we know.
std::string extension_for(std::string_view content_type);

// `photo.jpeg` stays what it is where the result is a jpeg; otherwise the name gets the result's extension.
std::filesystem::path with_extension(const std::filesystem::path& name, std::string_view extension);

// What to say where the name tells of another format than the result has: `optimize` gives a source's own bytes back
// where no encoding is smaller. Nothing where it is right, or tells of none.
std::optional<std::string> wrong_name(const std::filesystem::path& name, std::string_view extension);

// Of a result beside the first one: small.webp has small-w640.avif beside it.
std::filesystem::path name_of_further(const std::filesystem::path& first, std::string_view kind,
                                      std::string_view extension);

// One file becomes a file, unless `output` is a folder; many files, or a folder, become a folder.
Result<Plan> plan_of(const PlanRequest& request);

}  // namespace tessera::remote
