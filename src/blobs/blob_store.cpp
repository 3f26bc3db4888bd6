#include "blobs/blob_store.hpp"

namespace tessera::blobs {

Result<void> BlobStore::publish(StagedFile file, const BlobKey& key, IfThere if_there) {
    std::vector<Publication> one;
    one.push_back({std::move(file), key, if_there});
    return publish(std::move(one));
}

}  // namespace tessera::blobs
