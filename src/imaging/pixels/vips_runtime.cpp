#include "imaging/pixels/vips_runtime.hpp"

#include <dlfcn.h>
#include <gmodule.h>
#include <vips/vips.h>
// Needs vips.h before it.
#include <vips/vector.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string_view>

#include "core/text.hpp"

namespace tessera::imaging {
namespace {

// Beside libvips' own list of complaints, which belongs to the whole process, too.
std::atomic<bool> failed_rows = false;

FatalHandler fatal_handler = nullptr;

const char* field(std::string_view name, const GLogField* fields, gsize count) {
    for (gsize i = 0; i < count; ++i) {
        if (name == fields[i].key && fields[i].length < 0) return static_cast<const char*>(fields[i].value);
    }
    return "";
}

GLogWriterOutput write_log(GLogLevelFlags level, const GLogField* fields, gsize count, gpointer) {
    const char* domain = field("GLIB_DOMAIN", fields, count);
    // Decoders chatter about odd files; the errors that matter come back as results. But for one: where rows can't be
    // decoded, libvips' cache of them stops all threads of the pipeline, and one that was stopped before it heard of
    // the error ends it as if all were well, with pixels that nobody has written. All that is left is this warning.
    if ((level & (G_LOG_LEVEL_ERROR | G_LOG_FLAG_FATAL)) == 0) {
        const bool lost_rows =
            std::string_view(field("MESSAGE", fields, count)).find("error in tile") != std::string_view::npos;
        if (lost_rows && std::string_view(domain) == "VIPS") failed_rows = true;
        return G_LOG_WRITER_HANDLED;
    }
    if (fatal_handler != nullptr) fatal_handler(domain);
    return g_log_writer_default(level, fields, count, nullptr);
}

// Debian builds libvips with its rarer formats as modules and loads all of them at start, ImageMagick and a PDF reader
// too: 20 ms, and code that hostile files have no business near. With a home that does not exist it finds none.
class WithoutModules {
  public:
    WithoutModules() { ::setenv("VIPSHOME", "/nonexistent", 1); }
    WithoutModules(const WithoutModules&) = delete;
    WithoutModules& operator=(const WithoutModules&) = delete;
    ~WithoutModules() { ::unsetenv("VIPSHOME"); }
};

void load_module(std::string_view name) {
    Dl_info library{};
    if (::dladdr(reinterpret_cast<const void*>(&vips_init), &library) == 0) return;
    const auto folder = std::filesystem::path(library.dli_fname).parent_path() /
                        ("vips-modules-" + std::to_string(vips_version(0)) + "." + std::to_string(vips_version(1)));
    const std::filesystem::path file = folder / ("vips-" + std::string(name) + ".so");
    std::error_code missing;
    if (!std::filesystem::exists(file, missing)) return;  // built in, then
    if (GModule* module = g_module_open(file.c_str(), G_MODULE_BIND_LAZY)) g_module_make_resident(module);
}

Result<void> start() {
    g_log_set_writer_func(&write_log, nullptr, nullptr);
    // Some classes of libvips compile loops when they are first used, whatever vips_vector_set_enabled says, and abort
    // where no memory can be executed. Its compiler reads this once, at its start.
    ::setenv("ORC_CODE", "emulate", 1);
    {
        const WithoutModules guard;
        if (vips_init("tessera") != 0) return internal_error("vips_init: " + take_vips_error());
    }
    vips_vector_set_enabled(FALSE);  // loops that are compiled at run time want memory that can be executed
    load_module("heif");
    load_module("jxl");
    vips_cache_set_max(0);
    vips_cache_set_max_mem(0);
    vips_cache_set_max_files(0);
    return {};
}

}  // namespace

Result<void> start_vips(FatalHandler on_fatal) {
    static std::mutex mutex;
    static bool started = false;
    const std::scoped_lock lock(mutex);
    if (started) return {};
    fatal_handler = on_fatal;
    auto result = start();
    started = result.ok();
    return result;
}

void set_vips_threads(int threads) {
    vips_concurrency_set(std::max(1, threads));
}

void block_foreign_formats() {
    vips_operation_block_set("VipsForeignLoad", TRUE);
    vips_operation_block_set("VipsForeignSave", TRUE);
    for (const char* ours : {"VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp", "VipsForeignLoadJxl",
                             "VipsForeignSavePng", "VipsForeignSaveWebp", "VipsForeignSaveJxl"}) {
        vips_operation_block_set(ours, FALSE);
    }
}

void note_failed_rows() {
    failed_rows = true;
}

bool rows_have_failed() {
    return failed_rows;
}

std::string take_vips_error() {
    failed_rows = false;
    std::string_view all = vips_error_buffer();
    while (!all.empty() && all.back() == '\n') all.remove_suffix(1);
    // The last line is the one nearest to the cause of giving up; the ones before it are often mere warnings.
    if (const auto newline = all.rfind('\n'); newline != std::string_view::npos) all.remove_prefix(newline + 1);
    std::string line(all.substr(0, 200));
    std::ranges::replace_if(
        line, [](char c) { return c < ' ' || c > '~'; }, '?');
    vips_error_clear();
    return line;
}

bool is_out_of_memory(const std::string& complaint) {
    constexpr std::array phrases = {"out of memory",      "insufficient memory", "allocate memory",
                                    "failed to allocate", "memory allocation",   "bad_alloc"};
    const std::string lower = lower_case(complaint);
    return std::ranges::any_of(phrases, [&](const char* phrase) { return lower.find(phrase) != std::string::npos; });
}

}  // namespace tessera::imaging
