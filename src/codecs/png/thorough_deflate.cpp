#include "codecs/png/thorough_deflate.hpp"

#include <libdeflate.h>

#include <algorithm>

#include "codecs/png/chunks.hpp"
#include "codecs/png/thorough_blocks.hpp"
#include "codecs/png/thorough_path.hpp"

namespace tessera::codecs {
namespace {

using namespace thorough;

constexpr std::size_t part_bytes = 1U << 20;  // are held as tokens and matches at a time
constexpr int passes = 3;

struct Parse {
    std::vector<Token> tokens;
    std::vector<std::size_t> ends;  // of blocks
    std::vector<BlockCode> codes;
    std::size_t bits = 0;
};

std::span<const Token> block_of(const Parse& parse, std::size_t i) {
    const std::size_t begin = i == 0 ? 0 : parse.ends[i - 1];
    return {parse.tokens.data() + begin, parse.tokens.data() + parse.ends[i]};
}

std::vector<Prices> prices_for(const Parse& parse, bool is_first) {
    std::vector<Prices> prices;
    std::size_t end = 0;
    for (std::size_t i = 0; i < parse.ends.size(); ++i) {
        const auto block = block_of(parse, i);
        const Counts counts = count(block);
        for (const Token& token : block) end += token.length;
        prices.push_back(is_first ? first_prices(counts) : prices_of(counts));
        prices.back().end = end;
    }
    return prices;
}

void divide(Parse& parse) {
    parse.ends = ends_of_blocks(parse.tokens);
    parse.codes.clear();
    parse.bits = 0;
    for (std::size_t i = 0; i < parse.ends.size(); ++i) {
        parse.codes.push_back(make_code(count(block_of(parse, i))));
        parse.bits += parse.codes.back().bits;
    }
}

Parse best_parse(std::span<const std::uint8_t> bytes, const Matches& matches, PathFinder& path) {
    Parse parse;
    for (const std::uint8_t byte : bytes) parse.tokens.push_back({1, byte});
    divide(parse);
    Parse best = parse;
    for (int pass = 0; pass < passes; ++pass) {
        path.find(bytes, matches, prices_for(parse, pass == 0), parse.tokens);
        divide(parse);
        if (parse.bits < best.bits) best = parse;
    }
    return best;
}

}  // namespace

void thorough_deflate(std::span<const std::uint8_t> data, std::vector<std::uint8_t>& out) {
    out.insert(out.end(), {0x78, 0xDA});
    photo::DeflateWriter writer(out);
    MatchFinder finder(data);
    Matches matches;
    PathFinder path;
    for (std::size_t begin = 0; begin < data.size(); begin += part_bytes) {
        const auto bytes = data.subspan(begin, std::min(part_bytes, data.size() - begin));
        finder.find(bytes.size(), matches);
        const Parse parse = best_parse(bytes, matches, path);
        for (std::size_t i = 0; i < parse.ends.size(); ++i) {
            const bool is_last = begin + bytes.size() == data.size() && i + 1 == parse.ends.size();
            write_block(writer, block_of(parse, i), parse.codes[i], is_last);
        }
    }
    writer.finish(false);
    put_big_endian(out, libdeflate_adler32(1, data.data(), data.size()));
}

}  // namespace tessera::codecs
