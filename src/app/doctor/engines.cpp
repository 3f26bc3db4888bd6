// The sandbox, as an engine that was really started reports it, and every format, decoded and encoded in it.
#include <algorithm>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>

#include "app/config/config.hpp"
#include "app/doctor/diagnosis.hpp"
#include "app/doctor/samples.hpp"
#include "app/process/temporary_folder.hpp"
#include "app/trouble.hpp"
#include "core/image_format.hpp"
#include "engine/host/pool.hpp"
#include "operations/registry.hpp"

namespace tessera::app {
namespace {

namespace fs = std::filesystem;
using engine::Protection;

std::string advice_on(const Protection& part) {
    if (part.name == "landlock") {
        return "use a kernel with Landlock (5.13 or newer, with landlock among the lsm= of its command line); in a "
               "container, a seccomp profile that lets landlock_* through";
    }
    if (part.name == "seccomp") return "use a kernel with CONFIG_SECCOMP_FILTER, or a container that allows seccomp";
    if (part.name == "no_new_privs") return "use a kernel that knows it (3.5 or newer)";
    if (part.name == "sealed_results") {
        return "results are copied before they are believed: put the data folder on ext4, xfs or btrfs";
    }
    if (part.name == "rlimits") return "let the service lower its own limits";
    return "run as an ordinary user, which needs none of it, or give it CAP_SYS_ADMIN, CAP_SYS_CHROOT and CAP_SETUID";
}

Diagnoses sandbox(const std::vector<Protection>& report, bool required) {
    Diagnoses found;
    for (const Protection& part : report) {
        const std::string name = "sandbox: " + part.name;
        if (part.in_force) {
            found.push_back(fine(name, part.note.empty() ? "in force" : part.note));
        } else if (part.note == "not started as root") {
            found.push_back(fine(name, "not needed: " + part.note));
        } else {
            found.push_back(required ? failure(name, part.note, advice_on(part))
                                     : warning(name, part.note, advice_on(part)));
        }
    }
    return found;
}

// Turns a picture into one of another format, in an engine.
class Converter {
  public:
    Converter(engine::Pool& pool, fs::path folder) : pool_(pool), folder_(std::move(folder)) {}

    fs::path convert(const fs::path& from, std::string_view format) {
        const auto file = open_for_reading(from);
        if (!file) throw std::runtime_error(file.error().detail);
        const auto probed = pool_.probe(file->get(), {}, {});
        if (!probed) throw std::runtime_error(probed.error().message);
        Asset asset;
        asset.id = Uuid::random();
        asset.image = *probed;
        asset.byte_size = static_cast<std::int64_t>(fs::file_size(from));
        operations::SubmitContext context;
        context.find_asset = [&](const Uuid&) -> Result<Asset> { return asset; };
        const auto request =
            operations_.accept("resize", boost::json::object{{"width", 8}, {"format", format}}, asset.id, context);
        if (!request) throw std::runtime_error(request.error().message);

        engine::Task task;
        task.request.operation = request->operation;
        task.request.options = request->options;
        task.request.images = {{asset.id, asset.image, asset.byte_size}};
        task.open_image = [&](std::size_t) { return open_for_reading(from); };
        task.progress = [](double) {};
        const auto outcome = pool_.run(task);
        if (!outcome) throw std::runtime_error(outcome.error().message);
        fs::path to = folder_ / ("sample." + std::string(format));
        fs::copy_file(outcome->path_of(outcome->manifest.artifacts.at(0).file), to,
                      fs::copy_options::overwrite_existing);
        return to;
    }

  private:
    engine::Pool& pool_;
    const fs::path folder_;
    const operations::Registry operations_ = operations::Registry::built_in();
};

fs::path write_sample(const fs::path& path, std::span<const std::uint8_t> bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path;
}

Diagnosis tried(const std::string& name, const std::string& what, const std::function<void()>& step) {
    try {
        step();
        return fine(name, what);
    } catch (const std::exception& failed) {
        return failure(name, std::string("not ") + what + ": " + failed.what(),
                       "install the libraries that libvips has for it (Debian: libvips42 with libheif1, libde265-0, "
                       "libaom3 or libdav1d6, libjxl0.7)");
    }
}

// A GIF is read without any library: all others are made from it, and read back.
Diagnoses formats(engine::Pool& pool, const fs::path& folder) {
    Converter converter(pool, folder);
    const fs::path gif = write_sample(folder / "sample.gif", sample_gif());
    Diagnoses found{tried("format gif", "read", [&] { converter.convert(gif, "png"); })};
    for (const std::string format : {"jpeg", "png", "webp", "avif", "jxl"}) {
        found.push_back(tried("format " + format, "written and read", [&] {
            const fs::path made = converter.convert(gif, format);
            const fs::path copy = folder / ("copy." + format);
            fs::rename(made, copy);
            converter.convert(copy, "png");
        }));
    }
    const fs::path heif = write_sample(folder / "sample.heif", sample_heif());
    found.push_back(tried("format heif", "read", [&] { converter.convert(heif, "png"); }));
    return found;
}

}  // namespace

Diagnoses look_at_engines(const Config& config) {
    try {
        const TemporaryFolder folder;
        engine::PoolConfig pool_config = config.engine;
        pool_config.scratch_root = folder.path() / "engine";
        pool_config.job_engines = 1;
        pool_config.probe_engines = 1;
        pool_config.preview_engines = 0;
        pool_config.sandbox.required = false;  // what is lacking is to be told, each part of it
        const auto pool = engine::Pool::start(pool_config);
        if (!pool) {
            return {failure("engine", told(pool.error()),
                            "see the log of the kernel; docs/sandbox.md says what is needed")};
        }
        Diagnoses found = sandbox((*pool)->protections(), config.engine.sandbox.required);
        std::ranges::move(formats(**pool, folder.path()), std::back_inserter(found));
        return found;
    } catch (const std::exception& failed) {
        return {failure("engine", failed.what(), "make the folder for temporary files writable")};
    }
}

}  // namespace tessera::app
