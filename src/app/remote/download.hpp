// A file in the making: written beside its place, checked, and whole on disk before it gets its name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "app/remote/refusal.hpp"
#include "core/file.hpp"
#include "core/hash.hpp"

namespace tessera::remote {

class Download {
  public:
    // `name` is the same in every run, so that what a killed one left is written over. An empty checksum is none.
    Download(std::filesystem::path part, std::int64_t size, std::string sha256)
        : part_(std::move(part)), size_(size), sha256_(std::move(sha256)) {}
    Download(const Download&) = delete;
    Download& operator=(const Download&) = delete;
    ~Download();  // removes what was not kept

    bool restart();
    bool write(std::string_view bytes);
    // Whether all is there and as the service says, and on disk. Otherwise `trouble` tells what is wrong.
    bool finish();
    void keep() { kept_ = true; }  // it has its name now

    [[nodiscard]] const std::filesystem::path& part() const { return part_; }
    [[nodiscard]] const std::string& trouble() const { return trouble_; }
    [[nodiscard]] const std::string& sha256() const { return made_sha256_; }

  private:
    const std::filesystem::path part_;
    const std::int64_t size_;
    const std::string sha256_;
    UniqueFd fd_;
    Sha256 hash_;
    std::int64_t written_ = 0;
    std::string made_sha256_;
    std::string trouble_;
    bool kept_ = false;
};

}  // namespace tessera::remote
