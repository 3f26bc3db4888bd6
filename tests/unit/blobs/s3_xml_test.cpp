#include "blobs/s3/s3_xml.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "blobs/s3/s3_text.hpp"

namespace tessera::blobs {

TEST(S3Xml, FindsTextAndDecodesIt) {
    EXPECT_EQ(xml_text("<Error><Code>NoSuchKey</Code><Message>a &lt;b&gt; &amp;amp; &quot;c&quot;</Message></Error>",
                       "Message"),
              "a <b> &amp; \"c\"");
    EXPECT_EQ(xml_text("<Error></Error>", "Code"), "");
    EXPECT_EQ(xml_text("<Code>", "Code"), "");
    EXPECT_EQ(xml_text("", "Code"), "");
}

TEST(S3Xml, VisitsEachElementAndStopsAtWhatIsCutShort) {
    std::vector<std::string> keys;
    for_each_xml("<A><C><K>1</K></C><C><K>2</K></C><C><K>3", "C",
                 [&](std::string_view inside) { keys.push_back(xml_text(inside, "K")); });
    EXPECT_EQ(keys, (std::vector<std::string>{"1", "2"}));
}

TEST(S3Text, EncodesAsSignaturesWantIt) {
    EXPECT_EQ(uri_encoded("aZ0-._~"), "aZ0-._~");
    EXPECT_EQ(uri_encoded("a/b c+d=\xc3\xa9"), "a%2Fb%20c%2Bd%3D%C3%A9");
}

}  // namespace tessera::blobs
