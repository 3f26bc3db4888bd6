#include "service/access/page_cursor.hpp"

#include <gtest/gtest.h>

namespace tessera::service {
namespace {

std::string refusal(const PageRequest& request) {
    const auto page = parse_page(request);
    if (page) return "";
    EXPECT_EQ(page.error().code, ErrorCode::invalid_request);
    return page.error().message;
}

TEST(PageCursor, WithoutAnythingItIsTheFirstPage) {
    for (const PageRequest& request : {PageRequest{}, PageRequest{"", ""}}) {
        const auto page = parse_page(request);
        ASSERT_TRUE(page.ok());
        EXPECT_FALSE(page->before);
        EXPECT_EQ(page->limit, 20);
    }
}

TEST(PageCursor, ACursorLeadsBackToItsPlace) {
    for (int i = 0; i < 100; ++i) {
        const Uuid id = Uuid::random();
        const auto text = cursor_of(id);
        ASSERT_TRUE(text);
        EXPECT_EQ(text->find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
                  std::string::npos);
        const auto page = parse_page({{}, *text});
        ASSERT_TRUE(page.ok());
        EXPECT_EQ(page->before, id);
    }
    EXPECT_FALSE(cursor_of(std::nullopt));
}

TEST(PageCursor, WhatIsNoCursorIsRefused) {
    const std::string good = *cursor_of(Uuid::random());
    EXPECT_EQ(refusal({{}, good}), "");
    EXPECT_EQ(refusal({{}, good + "A"}), "invalid cursor");
    EXPECT_EQ(refusal({{}, good.substr(1)}), "invalid cursor");
    EXPECT_EQ(refusal({{}, "!" + good.substr(1)}), "invalid cursor");
    // The last character holds four bits that must be zero.
    std::string other = good;
    other.back() = static_cast<char>(other.back() + 1);
    EXPECT_EQ(refusal({{}, other}), "invalid cursor");
}

TEST(PageCursor, ALimitIsAWholeNumberInItsRange) {
    for (const char* text : {"1", "100"}) EXPECT_EQ(refusal({text, {}}), "");
    for (const char* text : {"0", "101", "-1", "1.5", "ten", "1 ", "99999999999999999999"}) {
        EXPECT_EQ(refusal({text, {}}), "limit must be a whole number from 1 to 100") << text;
    }
}

}  // namespace
}  // namespace tessera::service
