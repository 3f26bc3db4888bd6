#include "service/upkeep/layer_files.hpp"

#include "blobs/blob_store.hpp"
#include "tiles/archive/archive.hpp"

namespace tessera::service {

Result<LayerFiles> open_layer_files(blobs::BlobStore& blobs, std::span<const TilesetLayer> layers) {
    LayerFiles open;
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
        const auto key = blobs::BlobKey::parse(layer->storage_key);
        if (!key) return key.error();
        auto file = blobs.open_local(*key);
        if (!file) return std::move(file).error();
        auto archive = tiles::Archive::open(file->get());
        if (!archive) return std::move(archive).error();
        open.files.push_back(std::move(*file));
        open.topmost_first.push_back(std::move(*archive));
    }
    return open;
}

}  // namespace tessera::service
