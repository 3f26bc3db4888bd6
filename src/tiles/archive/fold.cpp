#include "tiles/archive/fold.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <unordered_map>

namespace tessera::tiles {
namespace {

// More areas than this make every later patch slow; then a fold gives them up, as if all of the delta were changed.
constexpr std::size_t most_areas = 8192;
constexpr std::size_t most_compared = 200'000'000;  // of areas with each other: some tenths of a second
constexpr std::size_t most_remembered = 1 << 16;

// Tiles with consecutive ids that show the same bytes of an archive.
struct Run {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
    const Archive* archive = nullptr;
    TileLocation location;
};
using Runs = std::vector<Run>;  // in the order of ids, none over another

// What an archive of ours says of itself beyond its geometry.
struct Nature {
    std::string options_json = "{}";
    bool delta = false;
};
Nature nature_of(const Archive& archive) {
    boost::system::error_code failed;
    const auto metadata = boost::json::parse(archive.metadata_json(), failed);
    const auto* own = failed || !metadata.is_object() ? nullptr : metadata.get_object().if_contains("tessera");
    Nature nature;
    if (own == nullptr || !own->is_object()) return nature;
    if (const auto* options = own->get_object().if_contains("options")) {
        nature.options_json = boost::json::serialize(*options);
    }
    const auto* delta = own->get_object().if_contains("delta");
    nature.delta = delta != nullptr && delta->is_bool() && delta->get_bool();
    return nature;
}

// Lays runs over others that come one by one, and gives what is seen from above, in order.
class Overlay {
  public:
    using See = std::function<Result<void>(const Run&)>;
    Overlay(const Runs& upper, const See& see) : upper_(upper), see_(see) {}

    Result<void> over(Run lower) {
        lower.first = std::max(lower.first, seen_to_);
        while (lower.first < lower.end && next_ < upper_.size() && upper_[next_].first < lower.end) {
            const Run& hiding = upper_[next_++];
            if (hiding.first > lower.first) {
                Run part = lower;
                part.end = hiding.first;
                if (auto ok = see_(part); !ok) return ok;
            }
            if (auto ok = see_(hiding); !ok) return ok;
            seen_to_ = hiding.end;
            lower.first = std::max(lower.first, hiding.end);
        }
        return lower.first < lower.end ? see_(lower) : Result<void>();
    }
    Result<void> finish() {
        while (next_ < upper_.size()) {
            if (auto ok = see_(upper_[next_++]); !ok) return ok;
        }
        return {};
    }

  private:
    const Runs& upper_;
    const See& see_;
    std::size_t next_ = 0;
    std::uint64_t seen_to_ = 0;
};

// What is seen of `lower` and the runs over it.
Result<void> look(const Runs& upper, const Archive& lower, const Overlay::See& see) {
    Overlay overlay(upper, see);
    auto walked = lower.for_each([&](const Archive::Run& run) {
        return overlay.over({run.first_id, run.first_id + run.length, &lower, run.location});
    });
    if (!walked) return walked;
    return overlay.finish();
}

// Copies runs into the new archive.
class Copier {
  public:
    // With a `base`, recipes are followed, so that the archive stands for itself.
    Copier(ArchiveWriter& writer, const Archive* base, const std::function<bool()>& go_on)
        : writer_(writer), base_(base), go_on_(go_on) {}

    Result<void> add(const Run& run) {
        if (copied_++ % 64 == 0 && !go_on_()) return internal_error("the fold was told to end");
        const auto content = content_of(run);
        if (!content) return content.error();
        for (std::uint64_t first = run.first; first < run.end;) {
            const std::uint64_t length = std::min<std::uint64_t>(run.end - first, 1U << 30);
            writer_.add_run(first, static_cast<std::uint32_t>(length), *content);
            first += length;
        }
        tiles_ += run.end - run.first;
        return {};
    }
    [[nodiscard]] std::uint64_t tiles() const { return tiles_; }

  private:
    // Equal tiles lie at one place in their archive: they are mostly read once. The writer knows those read again.
    Result<ContentId> content_of(const Run& run) {
        auto& known = known_[run.archive];
        if (const auto found = known.find(run.location.offset); found != known.end()) return found->second;
        auto bytes = run.archive->read(run.location);
        // A recipe names what it starts from: all tiles of a run come out the same.
        if (bytes && base_ != nullptr) {
            const auto tile = TileCoord::from_id(run.first);
            if (!tile) return pmtiles::damaged("a tile that no picture has");
            bytes = whole_tile(std::move(*bytes), *base_, *tile);
        }
        if (!bytes) return bytes.error();
        const auto content = writer_.add_content(*bytes);
        if (!content) return content.error();
        if (known.size() >= most_remembered) known.clear();
        known.emplace(run.location.offset, *content);
        return *content;
    }

    ArchiveWriter& writer_;
    const Archive* base_;
    const std::function<bool()>& go_on_;
    std::unordered_map<const Archive*, std::unordered_map<std::uint64_t, ContentId>> known_;
    std::uint64_t copied_ = 0;
    std::uint64_t tiles_ = 0;
};

bool contains(const PixelRect& outer, const PixelRect& inner) {
    return outer.x <= inner.x && outer.y <= inner.y && outer.x + outer.width >= inner.x + inner.width &&
           outer.y + outer.height >= inner.y + inner.height;
}

// Where any of the deltas changed the picture. An area that lies in another one adds nothing.
std::vector<PixelRect> areas_of(const Layers& deltas, const TilesetGeometry& geometry) {
    std::vector<PixelRect> areas;
    std::size_t compared = 0;
    for (const auto& delta : deltas) {
        for (const PixelRect& area : delta->patched()) {
            compared += areas.size();
            if (compared > most_compared) return {{0, 0, geometry.width, geometry.height}};
            if (std::ranges::any_of(areas, [&](const PixelRect& known) { return contains(known, area); })) continue;
            areas.push_back(area);
            if (areas.size() > most_areas) return {{0, 0, geometry.width, geometry.height}};
        }
    }
    return areas;
}

}  // namespace

Result<ArchiveSummary> fold(const Layers& layers, const std::filesystem::path& path,
                            const std::function<bool()>& go_on) {
    if (layers.empty() || !layers.back()->geometry()) return internal_error("nothing to fold");
    const Archive& lowest = *layers.back();
    ArchiveInfo info;
    info.geometry = *lowest.geometry();
    Nature nature = nature_of(lowest);
    info.options_json = std::move(nature.options_json);
    info.delta = nature.delta;
    if (info.delta) info.patched = areas_of(layers, info.geometry);

    // What the upper layers show is known by their directories; the lowest one, which may be large, is streamed past.
    Runs seen;
    for (std::size_t i = 0; i + 1 < layers.size(); ++i) {
        Runs merged;
        const Overlay::See keep = [&](const Run& run) -> Result<void> {
            merged.push_back(run);
            return {};
        };
        if (auto looked = look(seen, *layers[i], keep); !looked) return looked.error();
        seen = std::move(merged);
    }
    ArchiveWriter writer(info, path.parent_path());
    Copier copier(writer, info.delta ? nullptr : &lowest, go_on);
    const Overlay::See copy = [&](const Run& run) { return copier.add(run); };
    if (auto looked = look(seen, lowest, copy); !looked) return looked.error();
    if (!info.delta && copier.tiles() != lowest.header().addressed_tiles) {
        return pmtiles::damaged("a delta holds tiles that its base does not");
    }
    return writer.finish(path);
}

}  // namespace tessera::tiles
