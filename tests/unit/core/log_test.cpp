#include "core/log.hpp"

#include <gtest/gtest.h>

namespace tessera::log {
namespace {

std::string quoted(std::string_view text) {
    std::string out;
    append_json_string(out, text);
    return out;
}

TEST(JsonString, EscapesQuotesAndControls) {
    EXPECT_EQ(quoted("a\"b\\c\n\x01"), R"("a\"b\\c\u000a\u0001")");
}

TEST(JsonString, KeepsUtf8AndReplacesWhatIsNot) {
    EXPECT_EQ(quoted("gr\xc3\xbcn"), "\"gr\xc3\xbcn\"");
    EXPECT_EQ(quoted("\xff"), "\"\xef\xbf\xbd\"");
    EXPECT_EQ(quoted("\xed\xa0\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"") << "a surrogate";
    EXPECT_EQ(quoted("\xc3"), "\"\xef\xbf\xbd\"") << "cut short";
}

TEST(Log, WritesOneObjectALineAboveTheThreshold) {
    std::vector<std::string> lines;
    set_sink([&](Level, std::string_view line) { lines.emplace_back(line); }, Level::info);
    debug("hidden");
    info("shown", {{"text", "x"}, {"number", 7}, {"yes", true}, {"half", 0.5}});
    set_sink({}, Level::info);
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines[0].find(R"("event":"shown","text":"x","number":7,"yes":true,"half":0.5})"), std::string::npos)
        << lines[0];
}

}  // namespace
}  // namespace tessera::log
