#include "service/upkeep/stack_keeper.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "blobs/blob_store.hpp"
#include "core/log.hpp"
#include "core/random.hpp"
#include "metadata/maintenance.hpp"
#include "metadata/store.hpp"
#include "metadata/tilesets.hpp"
#include "service/upkeep/layer_files.hpp"
#include "tiles/archive/fold.hpp"

namespace tessera::service {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view lease_name = "stack_keeper";
// Short: a node that was killed leaves its lease behind. One that lost its own in a long fold only works in vain.
constexpr Millis lease_duration = 15s;
constexpr Millis renew_lease_after = 5s;
constexpr int stacks_at_a_time = 64;
// What was written and is not wanted: readers never saw it, but a commit that looked lost may have come through.
constexpr Millis garbage_delay = 10min;
constexpr int nice_value = 10;
constexpr std::size_t most_troubles = 1024;

Millis backoff(int times) {
    return std::min<Millis>(Millis(1min) * (1 << std::min(times - 1, 10)), 6h);
}

}  // namespace

StackKeeper::StackKeeper(metadata::Store& store, blobs::BlobStore& blobs, std::filesystem::path scratch,
                         const StackKeeperConfig& config)
    : store_(store),
      blobs_(blobs),
      scratch_(std::move(scratch)),
      config_(config),
      name_("stack_keeper:" + std::to_string(::getpid()) + ":" + random_token(8)),
      subscription_(store.on_change([this](const metadata::Change& change) {
          using Kind = metadata::Change::Kind;
          if (change.kind != Kind::tileset && change.kind != Kind::everything) return;
          thread_.wake();
      })) {}

StackKeeper::~StackKeeper() {
    stop();
}

void StackKeeper::start() {
    thread_.start("stack-keeper", Millis(0), [this](const std::stop_token& stop) {
        // Only this thread: requests and jobs go first.
        ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), nice_value);
        const auto kept = keep(stop);
        if (!kept) log::warning("stack_keeper.failed", {{"detail", kept.error().detail}});
        return config_.fold_interval;
    });
}

void StackKeeper::stop() {
    if (!thread_.stop()) return;
    const auto dropped = store_.maintenance().drop_lease(lease_name, name_);
    if (!dropped) log::warning("stack_keeper.lease_not_dropped", {{"detail", dropped.error().detail}});
}

Result<std::optional<int>> StackKeeper::keep(const std::stop_token& stop) {
    int folds = 0;
    while (!stop.stop_requested()) {
        const auto deep = store_.tilesets().deeper_than(static_cast<int>(config_.max_layers), stacks_at_a_time);
        if (!deep) return deep.error();
        const auto due = [&](const metadata::TilesetVersionName& name) {
            const auto trouble = troubles_.find(name.tileset_id);
            return trouble == troubles_.end() || trouble->second.not_before <= Steady::now();
        };
        const auto next = std::ranges::find_if(*deep, due);
        if (next == deep->end()) break;
        const auto ours = hold_lease();
        if (!ours) return ours.error();
        if (!*ours) return std::optional<int>();
        const auto folded = fold(next->tileset_id, stop);
        if (stop.stop_requested()) break;
        if (!folded) {
            note_trouble(next->tileset_id, folded.error());
        } else {
            troubles_.erase(next->tileset_id);
            if (*folded == Folded::yes) ++folds;
        }
    }
    return std::optional(folds);
}

Result<bool> StackKeeper::hold_lease() {
    auto held = store_.maintenance().hold_lease(lease_name, name_, lease_duration);
    lease_held_at_ = Steady::now();
    return held;
}

Result<StackKeeper::Folded> StackKeeper::fold(const Uuid& id, const std::stop_token& stop) {
    const auto started = Steady::now();
    const auto tileset = store_.tilesets().find_any(id);
    if (!tileset) return tileset.error();
    if (!*tileset) return Folded::no;
    const std::vector<TilesetLayer>& all = (*tileset)->current.layers;
    std::vector<std::int64_t> sizes;
    for (const TilesetLayer& layer : all) sizes.push_back(layer.byte_size);
    const auto range = tiles::choose_layers_to_fold(sizes, static_cast<std::size_t>(config_.max_layers));
    if (!range) return Folded::no;
    const auto replaced = std::span(all).subspan(range->first, range->count);

    // A name of its own for every fold, as for every attempt of a job.
    const auto key = blobs::tileset_key((*tileset)->account_id, id, Uuid::time_ordered(), 0);
    if (!key) return key.error();
    const auto written = write(**tileset, replaced, key->text(), stop);
    if (!written) return written.error();
    const auto answer = store_.tilesets().fold(id, replaced, {key->text(), *written});
    if (!answer || *answer != metadata::FoldAnswer::folded) {
        const auto noted = store_.maintenance().add_garbage(std::vector{key->text()}, garbage_delay);
        if (!noted) log::warning("stack_keeper.garbage_not_noted", {{"detail", noted.error().detail}});
        if (!answer) return answer.error();
        ++overtaken_;
        return Folded::no;
    }
    ++folded_;
    layers_ += replaced.size();
    bytes_ += static_cast<std::uint64_t>(*written);
    fold_time_.note(Steady::now() - started);
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Steady::now() - started);
    log::info("tileset.folded", {{"tileset", id.to_string()},
                                 {"layers", replaced.size()},
                                 {"left", all.size() - replaced.size() + 1},
                                 {"bytes", *written},
                                 {"ms", took.count()}});
    return Folded::yes;
}

// Durable under its key when this returns. Gives its size.
Result<std::int64_t> StackKeeper::write(const Tileset& tileset, std::span<const TilesetLayer> layers,
                                        const std::string& key, const std::stop_token& stop) {
    const auto open = open_layer_files(blobs_, layers);
    if (!open) return open.error();
    const auto go_on = [&] {
        if (Steady::now() - lease_held_at_ > renew_lease_after) (void)hold_lease();
        return !stop.stop_requested();
    };
    const std::filesystem::path path = scratch_ / ("fold-" + tileset.id.to_string() + "-" + random_token(8));
    const auto folded = tiles::fold(open->topmost_first, path, go_on);
    if (!folded) return folded.error();
    auto file = blobs::StagedFile::adopt(path);
    if (!file) return std::move(file).error();
    const auto size = static_cast<std::int64_t>(file->size());
    if (auto ok = blobs_.publish(std::move(*file), *blobs::BlobKey::parse(key)); !ok) return ok.error();
    return size;
}

// A stack that can't be folded is left alone for a while: patches and reads do not need the fold.
void StackKeeper::note_trouble(const Uuid& id, const Error& error) {
    ++failed_;
    if (troubles_.size() >= most_troubles) troubles_.clear();
    Trouble& trouble = troubles_[id];
    ++trouble.times;
    const Millis wait = backoff(trouble.times);
    trouble.not_before = Steady::now() + wait;
    log::warning("tileset.not_folded", {{"tileset", id.to_string()},
                                        {"again_in_s", std::chrono::duration_cast<std::chrono::seconds>(wait).count()},
                                        {"detail", error.detail.empty() ? error.message : error.detail}});
}

FoldCounters StackKeeper::counters() const {
    return {.folded = folded_, .overtaken = overtaken_, .failed = failed_, .layers = layers_, .bytes = bytes_};
}

}  // namespace tessera::service
