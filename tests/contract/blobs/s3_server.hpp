// A real S3 store for the tests of this process: Ceph, started on first use and gone with the process.
#pragma once

#include <string>

#include "blobs/s3/s3_config.hpp"

namespace tessera::blobs::contract {

struct S3Server {
    std::string endpoint;
    std::string bucket;
    std::string access_key;
    std::string secret_key;

    // Throws when it can't be started: these tests fail, they are not skipped.
    static const S3Server& instance();
    // A store of its own in the bucket.
    [[nodiscard]] S3Config config(const std::string& prefix) const;
};

}  // namespace tessera::blobs::contract
