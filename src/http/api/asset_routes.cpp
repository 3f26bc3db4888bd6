#include "http/api/asset_routes.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string>

#include "http/api/asset_json.hpp"
#include "http/message/multipart.hpp"
#include "service/access/principal.hpp"
#include "service/access/rate_limiter.hpp"
#include "service/uploads/upload.hpp"

namespace tessera::http {

namespace {

// What a form may hold besides the file: boundaries, headers, other fields.
constexpr MultipartLimits form_limits{};
constexpr auto form_overhead = static_cast<std::int64_t>(form_limits.max_ignored_bytes +
                                                         form_limits.max_parts * (form_limits.max_header_bytes + 256));

constexpr std::size_t longest_quoted = 64;

// `other` is the name of a part that was there instead.
Error file_required(const std::optional<std::string>& other) {
    std::string hint(describe(ErrorCode::file_required).remedy);
    if (other)
        hint = "the form has a part called '" + other->substr(0, longest_quoted) + "', but none called 'file'; " + hint;
    return Error{ErrorCode::file_required, "file is required", {}}.with_hint(std::move(hint));
}

// Feeds the part called "file" to an upload; the other parts are skipped.
class UploadSink final : public BodySink, private MultipartEvents {
  public:
    // The file has `least_bytes` or more.
    UploadSink(service::Uploads& uploads, const Request& request, std::string_view boundary, std::int64_t least_bytes)
        : uploads_(uploads),
          principal_(request.principal),
          request_{std::string(request.request_id), request.trace.context.id_text()},
          parser_(boundary, *this, form_limits),
          least_bytes_(least_bytes) {}

    Result<void> write(std::span<const std::uint8_t> bytes) override { return parser_.feed(bytes); }

    void finish(Finished finished) override {
        const auto complete = parser_.finish();
        if (!complete) return finished(Response::from(complete.error()));
        // A browser sends a nameless empty file for a field that was left empty.
        if (!upload_ || (bytes_ == 0 && unnamed_))
            return finished(Response::from(file_required(upload_ ? std::nullopt : other_)));
        upload_->finish([finished = std::move(finished)](Result<Asset> asset) {
            finished(asset ? Response::json(to_json(*asset), 201) : Response::from(std::move(asset).error()));
        });
    }

  private:
    Result<bool> on_part(const PartHeader& header) override {
        if (header.name != "file") {
            if (!other_) other_ = header.name;
            return false;
        }
        if (upload_) return invalid_multipart("two parts are called file, and one is taken");
        unnamed_ = header.filename.value_or("").empty();
        auto upload = uploads_.begin(principal_, header.filename.value_or(""), least_bytes_, request_);
        if (!upload) return upload.error();
        upload_ = *std::move(upload);
        return true;
    }
    Result<void> on_data(std::span<const std::uint8_t> bytes) override {
        bytes_ += bytes.size();
        return upload_->write(bytes);
    }
    Result<void> on_part_end() override { return {}; }

    service::Uploads& uploads_;
    const service::PrincipalPtr principal_;
    const service::UploadRequest request_;
    MultipartParser parser_;
    const std::int64_t least_bytes_;
    std::unique_ptr<service::Upload> upload_;
    std::optional<std::string> other_;  // the first part that is called otherwise
    bool unnamed_ = false;
    std::uint64_t bytes_ = 0;
};

// What is left of a body's declared length for the file, whatever else the form holds; 0 where that may be anything.
std::int64_t least_file_bytes(const Request& request) {
    const auto header = request.header("Content-Length");
    if (!header) return 0;
    std::int64_t length = 0;
    const auto [end, failed] = std::from_chars(header->data(), header->data() + header->size(), length);
    if (failed == std::errc::result_out_of_range) return std::numeric_limits<std::int64_t>::max();
    if (failed != std::errc() || end != header->data() + header->size()) return 0;
    return std::max<std::int64_t>(0, length - form_overhead);
}

Result<std::unique_ptr<BodySink>> open_upload(service::Uploads& uploads, const Request& request) {
    const auto boundary = MultipartParser::boundary_of(request.header("Content-Type").value_or(""));
    if (!boundary) return boundary.error();
    // A length that no form with an allowed file could have is refused before a byte of it is read.
    const std::int64_t least_bytes = least_file_bytes(request);
    const std::int64_t max_bytes = uploads.max_bytes(*request.principal);
    if (least_bytes > max_bytes) return service::upload_too_large(max_bytes);
    return std::unique_ptr<BodySink>(std::make_unique<UploadSink>(uploads, request, *boundary, least_bytes));
}

}  // namespace

std::vector<Route> asset_routes(service::Uploads& uploads) {
    Route route;
    route.method = Method::post;
    route.pattern = "/v1/assets";
    route.operation_id = "createAsset";
    route.summary = "Upload a source image";
    route.tag = "assets";
    route.auth = Auth::api_key;
    route.permission = Permission::assets_write;
    route.limit = LimitRule{service::RateClass::uploads, LimitScope::account};
    route.request_body = BodyDoc{"multipart/form-data", "AssetUpload"};
    route.answers = {{201, "The asset", "Asset"}};
    route.failures = {400, 403, 415, 500, 503};
    route.handler = into_sink([&uploads](const Request& request) { return open_upload(uploads, request); });
    return {std::move(route)};
}

}  // namespace tessera::http
