#include "http/message/multipart.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tessera::http {

namespace {

std::span<const std::uint8_t> bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// Writes down what it is told, as text that tests can compare.
class Record final : public MultipartEvents {
  public:
    explicit Record(std::string_view unwanted = "skip") : unwanted_(unwanted) {}

    Result<bool> on_part(const PartHeader& header) override {
        text += "[" + header.name + "|" + header.filename.value_or("-") + "]";
        return header.name != unwanted_;
    }
    Result<void> on_data(std::span<const std::uint8_t> bytes) override {
        EXPECT_FALSE(bytes.empty());
        text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return {};
    }
    Result<void> on_part_end() override {
        text += "[end]";
        return {};
    }

    std::string text;

  private:
    std::string unwanted_;
};

// What comes out when `body` is fed in the pieces that `cuts` make of it; "invalid" when it is refused.
std::string parse(std::string_view body, std::span<const std::size_t> cuts, MultipartLimits limits = {}) {
    Record record;
    MultipartParser parser("XX", record, limits);
    std::size_t from = 0;
    Result<void> fed;
    for (const std::size_t cut : cuts) {
        fed = parser.feed(bytes_of(body.substr(from, cut - from)));
        if (!fed) break;
        from = cut;
    }
    if (fed) fed = parser.feed(bytes_of(body.substr(from)));
    if (fed) fed = parser.finish();
    if (fed) return record.text;
    EXPECT_EQ(fed.error().code, ErrorCode::invalid_multipart_upload);
    EXPECT_EQ(fed.error().message, "invalid multipart upload");
    return "invalid";
}

// Whole, at each single point, in single bytes, and at random points: all must agree.
std::string parse_in_every_way(std::string_view body, MultipartLimits limits = {}) {
    const std::string whole = parse(body, {}, limits);
    std::vector<std::size_t> every;
    for (std::size_t cut = 0; cut <= body.size(); ++cut) {
        every.push_back(cut);
        const std::size_t one[] = {cut};
        EXPECT_EQ(parse(body, one, limits), whole) << "cut at " << cut;
    }
    EXPECT_EQ(parse(body, every, limits), whole) << "byte by byte";
    std::mt19937 random(1);
    for (int i = 0; i < 50; ++i) {
        std::vector<std::size_t> some;
        for (const auto cut : every) {
            if (random() % 4 == 0) some.push_back(cut);
        }
        EXPECT_EQ(parse(body, some, limits), whole);
    }
    return whole;
}

const std::string file_part =
    "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n";

std::string body_with(std::string_view content) {
    return file_part + std::string(content) + "\r\n--XX--\r\n";
}

std::string filename_from(std::string_view parameters) {
    const std::string body =
        "--XX\r\nContent-Disposition: form-data; name=file; " + std::string(parameters) + "\r\n\r\n\r\n--XX--";
    const std::string text = parse(body, {});
    if (text == "invalid") return text;
    return text.substr(6, text.size() - 6 - 6);
}

}  // namespace

TEST(Multipart, GivesTheContentOfAFileWhateverThePieces) {
    EXPECT_EQ(parse_in_every_way(body_with("hello")), "[file|a.png]hello[end]");
}

TEST(Multipart, ContentThatLooksLikeABoundaryIsContent) {
    for (const std::string_view content :
         {"\r", "\n", "\r\n", "\r\n-", "\r\n--", "\r\n--X", "\r\r\n--X\r\n", "x--XX", "a--XX--", "\r\n\r\n", "\r\n--xX",
          "\n--XX", "\r--XX", "\r\n--\r\n--X\r\n--"})
        EXPECT_EQ(parse_in_every_way(body_with(content)), "[file|a.png]" + std::string(content) + "[end]");
}

TEST(Multipart, APartMayBeEmptyWithOrWithoutItsOwnLineBreak) {
    EXPECT_EQ(parse_in_every_way(body_with("")), "[file|a.png][end]");
    EXPECT_EQ(parse_in_every_way(file_part + "--XX--"), "[file|a.png][end]");
}

TEST(Multipart, PartsComeInAnyOrderAndUnwantedOnesAreSkipped) {
    const std::string skip = "--XX\r\nContent-Disposition: form-data; name=\"skip\"\r\n\r\nnot this\r\n";
    const std::string other = "--XX\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\nthat\r\n";
    EXPECT_EQ(parse_in_every_way(skip + other + body_with("x") + skip), "[skip|-][other|-]that[end][file|a.png]x[end]");
    EXPECT_EQ(parse_in_every_way(file_part + "x\r\n" + skip + other + "--XX--"),
              "[file|a.png]x[end][skip|-][other|-]that[end]");
}

TEST(Multipart, PreambleEpilogueAndBlanksAfterABoundaryAreAllowed) {
    EXPECT_EQ(parse_in_every_way("This is for people.\r\n" + body_with("x") + "and this\r\n--XX\r\n"),
              "[file|a.png]x[end]");
    EXPECT_EQ(parse_in_every_way("\r\n" + body_with("x")), "[file|a.png]x[end]");
    EXPECT_EQ(parse_in_every_way("--XX \t \r\n" + file_part.substr(6) + "x\r\n--XX--  \r\n"), "[file|a.png]x[end]");
    EXPECT_EQ(parse_in_every_way(file_part + "x\r\n--XX--"), "[file|a.png]x[end]") << "no line break at the end";
}

TEST(Multipart, AnEmptyFormIsWellFormed) {
    EXPECT_EQ(parse_in_every_way("--XX--\r\n"), "");
}

TEST(Multipart, BoundariesInWrongShapesAreRefused) {
    const std::string headers = file_part.substr(6);
    for (const std::string& body : {
             std::string(),
             std::string("x"),
             std::string("--XX"),
             std::string("--XX\r\n"),
             std::string("--XX-"),
             std::string("-XX\r\n") + headers + "x\r\n-XX--",
             std::string("XX\r\n") + headers + "x\r\nXX--",
             "--XY\r\n" + headers + "x\r\n--XY--",
             "--XXY\r\n" + headers + "x\r\n--XXY--",  // another boundary; a longer one
             "--XX\n" + headers + "x\n--XX--\n",      // bare line feeds
             "--XX\r" + headers + "x\r\n--XX--",
             "--XX\r\r\n" + headers + "x\r\n--XX--",
             "--XX x\r\n" + headers + "x\r\n--XX--",
             file_part + "x",
             file_part + "x\r\n--XX",
             file_part + "x\r\n--XX-",
             file_part + "x\n--XX--",  // never closed
             file_part + "x--XX--",
             file_part + "x\r\n--XX-x",
             file_part + "x\r\n--XXtail\r\n",
             file_part.substr(0, 30),
             file_part.substr(0, file_part.size() - 2),
         })
        EXPECT_EQ(parse_in_every_way(body), "invalid") << body;
}

TEST(Multipart, PartHeadersInWrongShapesAreRefused) {
    for (const std::string_view headers : {
             "",                                                            // none
             "Content-Type: image/png\r\n",                                 // no disposition
             "Content-Disposition: form-data\r\n",                          // no name
             "Content-Disposition: attachment; name=\"file\"\r\n",          // another kind
             "Content-Disposition: form-data; name=\"file\r\n",             // a quote left open
             "Content-Disposition: form-data; name=\"a\"; name=\"b\"\r\n",  // twice
             "Content-Disposition: form-data; name\r\n",
             "Content-Disposition: form-data; =x\r\n",
             "Content-Disposition: form-data, name=x\r\n",
             "Content-Disposition: form-data; name=\"a\"x\r\n",
             "Content-Disposition\r\n",
             ": form-data; name=\"file\"\r\n",
             "Content-Disposition : form-data; name=\"file\"\r\n",
             "Content-Disposition: form-data;\r\n name=\"file\"\r\n",  // folded
             "Content-Disposition: form-data; name=\"fi\nle\"\r\n",
             "Content-Disposition: form-data; name=a\r\nContent-Disposition: form-data; name=b\r\n",
             "Content-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: base64\r\n",
         })
        EXPECT_EQ(parse_in_every_way("--XX\r\n" + std::string(headers) + "\r\nx\r\n--XX--"), "invalid") << headers;
    EXPECT_EQ(parse(std::string("--XX\r\nContent-Disposition: form-data; name=\"a\0b\"\r\n\r\nx\r\n--XX--", 60), {}),
              "invalid");
}

TEST(Multipart, NamesAndHeadersAreReadLeniently) {
    const std::string tail = "\r\n\r\nx\r\n--XX--";
    EXPECT_EQ(parse("--XX\r\ncontent-DISPOSITION:form-data;name=file;FILENAME=b.png" + tail, {}), "[file|b.png]x[end]");
    EXPECT_EQ(parse("--XX\r\nX-Other: 1\r\nContent-Disposition: Form-Data ; name=\"file\" ;" + tail, {}),
              "[file|-]x[end]");
    EXPECT_EQ(parse("--XX\r\nContent-Disposition: form-data; name=\"fi%22le\"" + tail, {}), "[fi\"le|-]x[end]");
}

TEST(Multipart, FilenamesAreDecodedInEveryNotation) {
    EXPECT_EQ(filename_from("filename=\"a b.png\""), "a b.png");
    EXPECT_EQ(filename_from("filename=plain.png"), "plain.png");
    EXPECT_EQ(filename_from("filename=two words.png"), "two words.png");
    EXPECT_EQ(filename_from("filename=\"\""), "");
    EXPECT_EQ(filename_from("filename=\"a\\\"b\\\\c.png\""), "a\"b\\c.png");
    EXPECT_EQ(filename_from("filename=\"C:\\dir\\a.png\""), "C:\\dir\\a.png");
    EXPECT_EQ(filename_from("filename=\"a%22b%0D%0ac%25.png\""), "a\"b\r\nc%25.png");
    EXPECT_EQ(filename_from("filename=\"caf\xc3\xa9.png\""), "caf\xc3\xa9.png");
    EXPECT_EQ(filename_from("filename=\"a;b.png\""), "a;b.png");
    EXPECT_EQ(filename_from("filename*=UTF-8''caf%C3%A9%20x.png"), "caf\xc3\xa9 x.png");
    EXPECT_EQ(filename_from("filename*=utf-8'en'%e2%82%ac.png"), "\xe2\x82\xac.png");
    EXPECT_EQ(filename_from("filename*=ISO-8859-1''caf%E9.png"), "caf\xc3\xa9.png");
    EXPECT_EQ(filename_from("filename=\"plain.png\"; filename*=UTF-8''rich.png"), "rich.png");
    EXPECT_EQ(filename_from("filename*=UTF-8''rich.png; filename=\"plain.png\""), "rich.png");
    for (const std::string_view malformed :
         {"UTF-8'rich.png", "rich.png", "UTF-8''%zz.png", "UTF-8''%4", "klingon''a.png"}) {
        EXPECT_EQ(filename_from("filename=\"plain.png\"; filename*=" + std::string(malformed)), "plain.png")
            << malformed;
        EXPECT_EQ(filename_from("filename*=" + std::string(malformed)), "-") << malformed;
    }
}

TEST(Multipart, LimitsHold) {
    const std::string skip = "--XX\r\nContent-Disposition: form-data; name=\"skip\"\r\n\r\n";
    MultipartLimits limits{.max_parts = 2, .max_header_bytes = 120, .max_ignored_bytes = 50};
    EXPECT_NE(parse_in_every_way(skip + std::string(50, 'a') + "\r\n--XX--", limits), "invalid");
    EXPECT_EQ(parse_in_every_way(skip + std::string(51, 'a') + "\r\n--XX--", limits), "invalid");
    EXPECT_EQ(
        parse_in_every_way(skip + std::string(30, 'a') + "\r\n" + skip + std::string(30, 'a') + "\r\n--XX--", limits),
        "invalid");
    EXPECT_EQ(parse_in_every_way(std::string(60, 'p') + "\r\n" + body_with("x"), limits), "invalid");
    EXPECT_EQ(parse_in_every_way(body_with("x") + std::string(60, 'e'), limits), "invalid");
    EXPECT_EQ(parse_in_every_way(skip + "\r\n" + skip + "\r\n" + skip + "\r\n--XX--", limits), "invalid");
    EXPECT_EQ(
        parse_in_every_way("--XX\r\nX: " + std::string(200, 'h') + "\r\n" + skip.substr(6) + "x\r\n--XX--", limits),
        "invalid");
    EXPECT_EQ(parse_in_every_way("--XX" + std::string(200, ' ') + "\r\n" + skip.substr(6) + "x\r\n--XX--"), "invalid");
}

TEST(Multipart, LargeBinaryContentPassesUnchangedInAnyPieces) {
    std::mt19937 random(7);
    std::string content(300'000, '\0');
    // Mostly carriage returns, line feeds and hyphens: many false alarms.
    for (char& c : content) c = "\r\n--XXY\r\0"[random() % 9];
    std::string escaped;
    for (std::size_t at = 0; at < content.size();) {
        if (content.compare(at, 6, "\r\n--XX") == 0) {
            escaped += "\r\n--X";
            at += 6;
        } else {
            escaped += content[at++];
        }
    }
    while (escaped.find("\r\n--XX") != std::string::npos) escaped.replace(escaped.find("\r\n--XX"), 6, "....");
    const std::string body = body_with(escaped);
    for (const std::size_t piece : {1UL, 3UL, 7UL, 1000UL, 65'536UL}) {
        std::vector<std::size_t> cuts;
        for (std::size_t cut = piece; cut < body.size(); cut += piece) cuts.push_back(cut);
        EXPECT_TRUE(parse(body, cuts) == "[file|a.png]" + escaped + "[end]") << piece;
    }
}

TEST(MultipartBoundary, IsReadFromTheContentType) {
    const auto boundary = [](std::string_view type) { return MultipartParser::boundary_of(type).value_or("refused"); };
    EXPECT_EQ(boundary("multipart/form-data; boundary=abc"), "abc");
    EXPECT_EQ(boundary("Multipart/Form-Data;boundary=\"a b:c\""), "a b:c");
    EXPECT_EQ(boundary("multipart/form-data; charset=utf-8; Boundary=----WebKitFormBoundary7MA4"),
              "----WebKitFormBoundary7MA4");
    for (const std::string type :
         {"", "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"\"",
          "multipart/form-data; boundary=\"abc", "multipart/form-data; boundary=\"abc \"",
          "multipart/form-data; boundary=a\"b", "multipart/form-data; boundary=a; boundary=b",
          "multipart/form-data; boundary=caf\xc3\xa9", "multipart/form-data; boundary=a{b}",
          "multipart/mixed; boundary=abc", "image/png", "application/json; boundary=abc"})
        EXPECT_EQ(boundary(type), "refused") << type;
    EXPECT_EQ(boundary("multipart/form-data; boundary=" + std::string(70, 'b')), std::string(70, 'b'));
    EXPECT_EQ(boundary("multipart/form-data; boundary=" + std::string(71, 'b')), "refused");
}

}  // namespace tessera::http
