#include "tiles/fold.hpp"

#include <boost/json.hpp>
#include <map>

namespace tessera::tiles {
namespace {

// What an id shows in the end: the topmost layer's run that holds it.
struct Source {
    const Archive* archive = nullptr;
    TileLocation location;
};

std::string options_of(const Archive& archive) {
    boost::system::error_code failed;
    const auto metadata = boost::json::parse(archive.metadata_json(), failed);
    const auto* own = failed ? nullptr : metadata.as_object().if_contains("tessera");
    const auto* options = own == nullptr ? nullptr : own->as_object().if_contains("options");
    return options == nullptr ? "{}" : boost::json::serialize(*options);
}

class Folder {
  public:
    explicit Folder(ArchiveWriter& writer) : writer_(writer) {}

    Result<void> add(std::uint64_t first_id, std::uint32_t length, const Source& source) {
        // Equal tiles lie at one place in their archive: read them once.
        const auto key = std::pair(source.archive, source.location.offset);
        auto known = contents_.find(key);
        if (known == contents_.end()) {
            const auto bytes = source.archive->read(source.location);
            if (!bytes) return bytes.error();
            const auto content = writer_.add_content(*bytes);
            if (!content) return content.error();
            known = contents_.emplace(key, *content).first;
        }
        writer_.add_run(first_id, length, known->second);
        return {};
    }

  private:
    ArchiveWriter& writer_;
    std::map<std::pair<const Archive*, std::uint64_t>, ContentId> contents_;
};

}  // namespace

Result<ArchiveSummary> fold(const Layers& layers, const std::filesystem::path& path) {
    if (layers.empty() || !layers.back()->geometry()) return internal_error("nothing to fold");
    // The deltas are small: what they replace is known in memory. The base is streamed past it.
    std::map<std::uint64_t, Source> replaced;
    for (std::size_t i = 0; i + 1 < layers.size(); ++i) {
        const Archive& layer = *layers[i];
        const auto walked = layer.for_each([&](const Archive::Run& run) -> Result<void> {
            for (std::uint64_t id = run.first_id; id < run.first_id + run.length; ++id) {
                replaced.try_emplace(id, Source{&layer, run.location});
            }
            return {};
        });
        if (!walked) return walked.error();
    }

    const Archive& base = *layers.back();
    ArchiveInfo info;
    info.geometry = *base.geometry();
    info.options_json = options_of(base);
    ArchiveWriter writer(info, path.parent_path());
    Folder folder(writer);
    const auto walked = base.for_each([&](const Archive::Run& run) -> Result<void> {
        const Source source{&base, run.location};
        std::uint64_t next = run.first_id;
        const std::uint64_t end = run.first_id + run.length;
        for (auto it = replaced.lower_bound(next); it != replaced.end() && it->first < end;) {
            if (it->first > next) {
                if (auto added = folder.add(next, static_cast<std::uint32_t>(it->first - next), source); !added)
                    return added;
            }
            if (auto added = folder.add(it->first, 1, it->second); !added) return added;
            next = it->first + 1;
            it = replaced.erase(it);
        }
        if (next == end) return {};
        return folder.add(next, static_cast<std::uint32_t>(end - next), source);
    });
    if (!walked) return walked.error();
    if (!replaced.empty()) return pmtiles::damaged("a delta holds tiles that its base does not");
    return writer.finish(path);
}

}  // namespace tessera::tiles
