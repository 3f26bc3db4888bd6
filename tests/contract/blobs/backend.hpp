// What the contract suite needs to know of a backend: how to open a store, again and again, on the same blobs.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include "blobs/blob_store.hpp"

namespace tessera::blobs::contract {

// One place to keep blobs, empty at first, gone with the object.
class Backend {
  public:
    virtual ~Backend() = default;
    virtual std::unique_ptr<BlobStore> open() = 0;  // fails the test and returns null when it can't
    // The folder whose staging/ the stores use.
    [[nodiscard]] virtual const std::filesystem::path& local_folder() const = 0;
};

struct BackendFactory {
    std::string name;
    std::function<std::unique_ptr<Backend>()> make;

    friend std::ostream& operator<<(std::ostream& out, const BackendFactory& factory) { return out << factory.name; }
};

std::vector<BackendFactory> all_backends();

class BlobContract : public testing::TestWithParam<BackendFactory> {
  protected:
    void SetUp() override {
        backend = GetParam().make();
        ASSERT_NE(backend, nullptr);
        store = backend->open();
        ASSERT_NE(store, nullptr);
    }

    std::unique_ptr<Backend> backend;
    std::unique_ptr<BlobStore> store;
};

inline std::string backend_name(const testing::TestParamInfo<BackendFactory>& info) {
    return info.param.name;
}

}  // namespace tessera::blobs::contract
