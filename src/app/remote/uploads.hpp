// From files to assets: each content once, however many files have it, and not at all where the service has it from an
// earlier run.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "app/remote/asset_book.hpp"
#include "app/remote/calls.hpp"
#include "app/remote/journal.hpp"
#include "app/remote/refusal.hpp"
#include "app/remote/service.hpp"
#include "core/result.hpp"

namespace tessera::remote {

// The SHA-256 of a file, in hexadecimal.
Result<std::string> content_of(const std::filesystem::path& file);

struct Uploaded {
    std::string asset_id;
    bool was_there = false;       // nothing was sent
    boost::json::object asset{};  // as the service tells of it; empty where it was not asked
};

class Uploads {
  public:
    using Done = std::function<void(const Result<Uploaded, Refusal>&)>;
    enum class Trust { book, service };  // whether an asset that the book names is asked for

    Uploads(Calls& calls, const Service& service, AssetBook& book) : calls_(calls), service_(service), book_(book) {}

    // `mark` knows the content. `done` may be called before this returns.
    void want(const std::filesystem::path& file, const FileMark& mark, Trust trust, Done done);
    // The service said that it has it no longer.
    void forget(const std::string& sha256);

  private:
    void ask(const std::filesystem::path& file, const FileMark& mark, const std::string& asset_id);
    void send(const std::filesystem::path& file, const FileMark& mark);
    void end(const std::string& sha256, const Result<Uploaded, Refusal>& result);

    Calls& calls_;
    const Service& service_;
    AssetBook& book_;
    std::map<std::string, std::vector<Done>> under_way_;
};

}  // namespace tessera::remote
