#include "http/routing/router.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace tessera::http {
namespace {

Route route(Method method, std::string pattern, bool cors = false) {
    Route made;
    made.method = method;
    made.pattern = std::move(pattern);
    made.operation_id = made.pattern;
    made.cors = cors;
    return made;
}

std::vector<Route> table() {
    std::vector<Route> routes;
    routes.push_back(route(Method::get, "/v1/plans"));
    routes.push_back(route(Method::post, "/v1/jobs"));
    routes.push_back(route(Method::get, "/v1/jobs/{id}"));
    routes.push_back(route(Method::get, "/v1/artifacts/{id}"));
    routes.push_back(route(Method::get, "/v1/artifacts/{id}/download", true));
    routes.push_back(route(Method::get, "/v1/tilesets/{id}/xyz/{z}/{x}/{y}"));
    return routes;
}

Request request(Method method, std::string_view path) {
    Request made;
    made.method = method;
    made.path = path;
    return made;
}

TEST(Router, FindsFixedPathsAndParameters) {
    const Router router(table());
    Request plans = request(Method::get, "/v1/plans");
    EXPECT_EQ(router.find(plans).route, &router.routes()[0]);
    Request tile = request(Method::get, "/v1/tilesets/t/xyz/3/4/5.png");
    ASSERT_EQ(router.find(tile).route, &router.routes()[5]);
    EXPECT_EQ(tile.parameter("id"), "t");
    EXPECT_EQ(tile.parameter("z"), "3");
    EXPECT_EQ(tile.parameter("y"), "5.png");
    EXPECT_EQ(tile.parameter("nothing"), "");
}

TEST(Router, AnswersHeadWhereGetIs) {
    const Router router(table());
    Request head = request(Method::head, "/v1/plans");
    EXPECT_EQ(router.find(head).route, &router.routes()[0]);
    Request of_post = request(Method::head, "/v1/jobs");
    EXPECT_EQ(router.find(of_post).route, nullptr);
}

TEST(Router, TellsAnUnknownPathFromAWrongMethod) {
    const Router router(table());
    Request wrong_method = request(Method::delete_, "/v1/jobs/1");
    EXPECT_TRUE(router.find(wrong_method).path_known);
    EXPECT_EQ(router.allowed_methods("/v1/jobs/1"), "GET, HEAD, OPTIONS");
    EXPECT_EQ(router.allowed_methods("/v1/jobs"), "POST, OPTIONS");
    EXPECT_EQ(router.allowed_methods("/nothing"), "");
}

TEST(Router, NeverLeavesItsTable) {
    const Router router(table());
    for (const char* path : {"", "/", "v1/plans", "/v1/plans/", "//v1/plans", "/v1//plans", "/v1/jobs/", "/v1/jobs//",
                             "/v1/../v1/plans", "/v1/%70lans", "/v1/jobs/1/", "/v1/jobs/1/2", "/V1/plans",
                             "/v1/artifacts//download", "/v1/tilesets/t/xyz/3/4", "*"}) {
        Request asked = request(Method::get, path);
        EXPECT_FALSE(router.find(asked).path_known) << path;
    }
}

TEST(Router, WordsGoBeforeParametersAndBackWhereTheyLeadNowhere) {
    std::vector<Route> routes;
    routes.push_back(route(Method::get, "/a/{first}/{second}"));
    routes.push_back(route(Method::get, "/a/b/c"));
    routes.push_back(route(Method::get, "/a/{id}/c/d"));
    routes.push_back(route(Method::get, "/"));
    const Router router(std::move(routes));
    const auto found = [&](std::string_view path) {
        Request asked = request(Method::get, path);
        const Route* route = router.find(asked).route;
        return std::pair(route == nullptr ? "" : route->pattern, std::string(asked.parameter("second")));
    };
    using Found = std::pair<std::string, std::string>;
    EXPECT_EQ(found("/a/b/c"), Found("/a/b/c", ""));
    EXPECT_EQ(found("/a/b/x"), Found("/a/{first}/{second}", "x"));
    EXPECT_EQ(found("/a/b/c/d"), Found("/a/{id}/c/d", ""));
    EXPECT_EQ(found("/a/x/c"), Found("/a/{first}/{second}", "c"));
    EXPECT_EQ(found("/"), Found("/", ""));
    EXPECT_EQ(found("/a/b"), Found("", ""));
    EXPECT_EQ(found("/1/2/3/4/5/6/7/8/9/10/11/12/13/14"), Found("", ""));
}

TEST(Router, AnEncodedSlashStaysWithinItsSegment) {
    const Router router(table());
    Request asked = request(Method::get, "/v1/jobs/..%2f..%2fetc");
    ASSERT_TRUE(router.find(asked).path_known);
    EXPECT_EQ(asked.parameter("id"), "..%2f..%2fetc");
}

TEST(Router, KnowsWhatOtherOriginsMayRead) {
    const Router router(table());
    EXPECT_EQ(router.cross_origin_route("/v1/artifacts/1/download"), &router.routes()[4]);
    EXPECT_EQ(router.cross_origin_route("/v1/artifacts/1"), nullptr);
}

TEST(Router, RefusesTwoRoutesOfOneShape) {
    std::vector<Route> routes = table();
    routes.push_back(route(Method::get, "/v1/jobs/{other}"));
    EXPECT_THROW(Router{std::move(routes)}, std::logic_error);
}

}  // namespace
}  // namespace tessera::http
