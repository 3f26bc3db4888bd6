// The console's page and files: to whom, in which encoding, for how long. Any files will do: no Node is needed.
#include "http/console/console_routes.hpp"

#include <gtest/gtest.h>

#include "asked.hpp"

namespace tessera::http::test {
namespace {

constexpr ConsoleFile files[] = {
    {.path = "index.html",
     .content_type = "text/html; charset=utf-8",
     .hash = "aa",
     .plain = "<page>",
     .brotli = "page, br",
     .gzip = "page, gzip"},
    {.path = "console/assets/small-1.js",
     .content_type = "text/javascript; charset=utf-8",
     .hash = "bb",
     .plain = "x",
     .brotli = {},
     .gzip = {}},
};
constexpr std::string_view browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

class ConsoleRoutes : public testing::Test {
  protected:
    static Response page(Asked asked) {
        const auto routes = console_routes(files);
        return asked.of(routes.at(0));
    }
    static Response asset(std::string_view name, Asked asked = Asked()) {
        const auto routes = console_routes(files);
        return asked.parameter("file", name).of(routes.at(1));
    }
};

}  // namespace

TEST_F(ConsoleRoutes, WithoutFilesThereAreNone) {
    EXPECT_TRUE(console_routes({}).empty());
}

TEST_F(ConsoleRoutes, StandAtTheRootAndUnderAReservedPathAndAreNotInTheDocument) {
    const auto routes = console_routes(files);
    ASSERT_EQ(routes.size(), 2U);
    EXPECT_EQ(routes[0].pattern, "/");
    EXPECT_EQ(routes[1].pattern, "/console/assets/{file}");
    for (const Route& route : routes) {
        EXPECT_FALSE(route.documented);
        EXPECT_EQ(route.auth, Auth::none);
        EXPECT_FALSE(route.cors);
    }
}

TEST_F(ConsoleRoutes, ThePageIsForBrowsersThatGoThere) {
    const Response shown = page(Asked().header("Accept", browser));
    EXPECT_EQ(shown.status, 200);
    EXPECT_EQ(text_of(shown), "<page>");
    EXPECT_TRUE(has_header(shown, "Cache-Control: no-cache"));
    EXPECT_TRUE(has_header(shown, "Vary: Accept, Accept-Encoding"));
}

TEST_F(ConsoleRoutes, ProgramsGetNotFoundAsBefore) {
    for (const std::string_view accept : {"*/*", "application/json", "text/*", "text/html;q=0, */*"}) {
        EXPECT_EQ(text_of(page(Asked().header("Accept", accept))), "error: not found") << accept;
    }
    EXPECT_EQ(text_of(page(Asked())), "error: not found");
}

TEST_F(ConsoleRoutes, ThePolicyAllowsNothingInlineAndNoOtherHost) {
    const Response shown = page(Asked().header("Accept", browser));
    ASSERT_TRUE(shown.has_own_policy);
    EXPECT_TRUE(has_header(shown,
                           "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
                           "img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
                           "frame-ancestors 'none'"));
}

TEST_F(ConsoleRoutes, TheSmallestEncodingThatTheClientTakesIsSent) {
    const auto encoded = [](std::string_view accepted) {
        return page(Asked().header("Accept", browser).header("Accept-Encoding", accepted));
    };
    const Response brotli = encoded("gzip, deflate, br");
    EXPECT_EQ(text_of(brotli), "page, br");
    EXPECT_TRUE(has_header(brotli, "Content-Encoding: br"));
    EXPECT_TRUE(has_header(brotli, "ETag: \"aa-br\""));
    EXPECT_EQ(text_of(encoded("gzip")), "page, gzip");
    EXPECT_EQ(text_of(encoded("br;q=0, gzip")), "page, gzip");
    const Response plain = encoded("deflate");
    EXPECT_EQ(text_of(plain), "<page>");
    EXPECT_TRUE(has_header(plain, "ETag: \"aa\""));
    EXPECT_EQ(plain.headers.find("Content-Encoding"), std::string::npos);
}

TEST_F(ConsoleRoutes, WhatTheBrowserHasIsNotSentAgain) {
    const Response known =
        page(Asked().header("Accept", browser).header("Accept-Encoding", "br").header("If-None-Match", "\"aa-br\""));
    EXPECT_EQ(known.status, 304);
    EXPECT_EQ(text_of(known), "");
}

TEST_F(ConsoleRoutes, FilesAreKeptForEver) {
    const Response file = asset("small-1.js", Asked().header("Accept-Encoding", "br"));
    EXPECT_EQ(text_of(file), "x") << "too small to be compressed";
    EXPECT_EQ(file.content_type, "text/javascript; charset=utf-8");
    EXPECT_TRUE(has_header(file, "Cache-Control: public, max-age=31536000, immutable"));
}

TEST_F(ConsoleRoutes, AFileThatIsNotThereIsNeverThePage) {
    EXPECT_EQ(text_of(asset("gone-2.js", Asked().header("Accept", browser))), "error: not found");
    EXPECT_EQ(text_of(asset("index.html", Asked().header("Accept", browser))), "error: not found");
}

}  // namespace tessera::http::test
