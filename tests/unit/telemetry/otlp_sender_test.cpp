#include "telemetry/otlp_sender.hpp"

#include <gmock/gmock.h>
#include <zlib.h>

namespace tessera::telemetry {
namespace {

using namespace std::chrono_literals;

Answer with_status(int status) {
    Answer answer;
    answer.status = status;
    return answer;
}

TEST(FateTest, FollowsTheSpecification) {
    EXPECT_EQ(fate_of(with_status(200)), Fate::sent);
    EXPECT_EQ(fate_of(with_status(202)), Fate::sent);
    for (const int status : {429, 502, 503, 504}) EXPECT_EQ(fate_of(with_status(status)), Fate::again) << status;
    for (const int status : {301, 400, 401, 404, 413, 500, 501}) {
        EXPECT_EQ(fate_of(with_status(status)), Fate::refused) << status;
    }
    EXPECT_EQ(fate_of(Answer{}), Fate::again);
}

TEST(WantedPauseTest, IsSecondsOrADateWithinBounds) {
    const Timestamp now = *from_iso8601("2026-11-16T12:00:00.000Z");
    EXPECT_EQ(wanted_pause("7", now, 30s), 7s);
    EXPECT_EQ(wanted_pause("0", now, 30s), 0s);
    EXPECT_EQ(wanted_pause("Mon, 16 Nov 2026 12:00:05 GMT", now, 30s), 5s);
    EXPECT_EQ(wanted_pause("Mon, 16 Nov 2020 12:00:05 GMT", now, 30s), 0s);
    EXPECT_EQ(wanted_pause("99999", now, 30s), 30s);
    EXPECT_EQ(wanted_pause("99999999999999999999999", now, 30s), 30s);
    EXPECT_EQ(wanted_pause("", now, 30s), std::nullopt);
    EXPECT_EQ(wanted_pause("soon", now, 30s), std::nullopt);
}

TEST(GzipTest, IsReadByZlib) {
    const std::string text(100'000, 'x');
    const std::string packed = gzipped(text);
    EXPECT_LT(packed.size(), 1'000U);
    z_stream stream{};
    ASSERT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
    std::string read(text.size() + 1, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(read.data());
    stream.avail_out = static_cast<uInt>(read.size());
    EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
    read.resize(stream.total_out);
    inflateEnd(&stream);
    EXPECT_EQ(read, text);
}

TEST(SenderTest, NobodyThereIsNoAnswer) {
    TracesConfig config;
    config.endpoint = "http://127.0.0.1:1/v1/traces";
    const Answer answer = otlp_sender(config, "0")("{}", 5s, [] { return false; });
    EXPECT_FALSE(answer.status);
    EXPECT_FALSE(answer.detail.empty());
    EXPECT_EQ(fate_of(answer), Fate::again);
}

}  // namespace
}  // namespace tessera::telemetry
