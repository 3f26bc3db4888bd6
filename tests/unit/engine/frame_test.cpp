#include "engine/wire/frame.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tessera::engine {
namespace {

std::vector<std::uint8_t> framed(const std::string& body) {
    const auto head = frame_head(body.size());
    std::vector<std::uint8_t> bytes(head.begin(), head.end());
    bytes.insert(bytes.end(), body.begin(), body.end());
    return bytes;
}

TEST(Frame, ComesOutWholeWhateverPiecesItArrivesIn) {
    auto stream = framed("first");
    const auto second = framed(std::string(70'000, 'x'));
    stream.insert(stream.end(), second.begin(), second.end());
    for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{4096}, stream.size()}) {
        FrameReader reader;
        std::vector<std::string> frames;
        for (std::size_t at = 0; at < stream.size(); at += piece) {
            reader.feed(std::span(stream).subspan(at, std::min(piece, stream.size() - at)));
            while (auto frame = *reader.next()) frames.push_back(*frame);
        }
        ASSERT_EQ(frames.size(), 2U);
        EXPECT_EQ(frames[0], "first");
        EXPECT_EQ(frames[1].size(), 70'000U);
    }
}

TEST(Frame, OneThatIsTooLongIsRefusedBeforeItsBodyIsRead) {
    FrameReader reader(100);
    const auto head = frame_head(101);
    reader.feed(head);
    EXPECT_FALSE(reader.next().ok());
}

TEST(Frame, AnEmptyOneIsAFrame) {
    FrameReader reader;
    reader.feed(framed(""));
    const auto frame = reader.next();
    ASSERT_TRUE(frame.ok());
    ASSERT_TRUE(frame->has_value());
    EXPECT_EQ(**frame, "");
}

}  // namespace
}  // namespace tessera::engine
