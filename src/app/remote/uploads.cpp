#include "app/remote/uploads.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/hash.hpp"
#include "core/hex.hpp"

namespace tessera::remote {

Result<std::string> content_of(const std::filesystem::path& path) {
    const auto file = open_for_reading(path);
    if (!file) return file.error();
    const auto size = size_of(file->get());
    if (!size) return size.error();
    Sha256 hash;
    std::vector<std::uint8_t> buffer(std::size_t{256} << 10);
    for (std::uint64_t offset = 0; offset < *size;) {
        const auto part = std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), *size - offset));
        if (auto read = read_exactly_at(file->get(), offset, part); !read) return read.error();
        hash.update(part);
        offset += part.size();
    }
    return to_hex(hash.finish());
}

void Uploads::want(const std::filesystem::path& file, const FileMark& mark, Trust trust, Done done) {
    auto& waiting = under_way_[mark.sha256];
    waiting.push_back(std::move(done));
    if (waiting.size() > 1) return;
    const auto known = book_.find(mark.sha256);
    if (known && trust == Trust::book) return end(mark.sha256, Uploaded{*known, true});
    if (known) return ask(file, mark, *known);
    send(file, mark);
}

void Uploads::forget(const std::string& sha256) {
    static_cast<void>(book_.forget(sha256));  // a book that can't be written only saves less work
}

void Uploads::end(const std::string& sha256, const Result<Uploaded, Refusal>& result) {
    auto node = under_way_.extract(sha256);
    for (const Done& done : node.mapped()) done(result);
}

void Uploads::ask(const std::filesystem::path& file, const FileMark& mark, const std::string& asset_id) {
    calls_.send(Lane::others, service_.get("/v1/assets/" + asset_id),
                [this, file, mark, asset_id](const Answer& answer) {
                    if (auto asset = object_of(answer))
                        return end(mark.sha256, Uploaded{asset_id, true, std::move(*asset)});
                    if (answer.status != 404) return end(mark.sha256, refusal_of(answer));
                    forget(mark.sha256);
                    send(file, mark);
                });
}

void Uploads::send(const std::filesystem::path& path, const FileMark& mark) {
    auto opened = open_for_reading(path);
    if (!opened) return end(mark.sha256, own_trouble("can't be opened"));
    const auto file = std::make_shared<UniqueFd>(std::move(*opened));
    Request request = service_.upload({file->get(), mark.size, path.filename().string()});
    calls_.send(Lane::uploads, std::move(request), [this, file, mark](const Answer& answer) {
        const auto asset = object_of(answer);
        if (!asset) return end(mark.sha256, refusal_of(answer));
        const std::string told = text_at(*asset, "checksum_sha256");
        const std::string id = text_at(*asset, "id");
        if (id.empty()) return end(mark.sha256, refusal_of(answer));
        if (!told.empty() && told != mark.sha256)
            return end(mark.sha256, own_trouble("it changed while it was uploaded: run it again"));
        static_cast<void>(book_.add(mark.sha256, id));
        end(mark.sha256, Uploaded{id, false, *asset});
    });
}

}  // namespace tessera::remote
