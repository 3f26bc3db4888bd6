#include "codecs/png/photo_inflate.hpp"

#include <algorithm>

#include "codecs/png/photo_symbols.hpp"

namespace tessera::codecs {
namespace {

using namespace photo;

// Inflates one block.
class BlockInflater {
  public:
    // The block has its first byte and bit; its bytes end at `most` at the latest. False where its header is none of
    // ours.
    bool start(std::span<const std::uint8_t> stream, std::uint8_t* out, PhotoBlock& block, std::size_t most) {
        constexpr std::size_t usual_marks = (std::size_t{64} << 10) / photo_mark_step;
        out_ = out;
        block_ = &block;
        at_ = out + block.bytes.begin;
        stop_ = out + most;
        floor_ = block.stands_alone ? at_ : out;
        next_mark_ = at_;
        reader_ = DeflateReader(stream, block.first_bit);
        if (!read_block_header(reader_, is_last_, block.codes)) return false;
        codes_ = block.codes;
        table_.fill(codes_);
        block.marks.reserve(std::min((most - block.bytes.begin) / photo_mark_step + 1, usual_marks));
        return true;
    }

    // Both, as far as both have much left: one goes on while the other waits for its table. False where one of them
    // can't be one of ours.
    static bool go_on_with_both(BlockInflater& first, BlockInflater& second) {
        Place one(first);
        Place two(second);
        Went went = Went::on;
        while (went == Went::on && one.has_much_left() && two.has_much_left()) {
            one.mark();
            two.mark();
            one.reader.refill();
            two.reader.refill();
            for (int i = 0; i < at_once && went == Went::on; ++i) {
                if (!one.take_bytes() || !two.take_bytes()) [[unlikely]] {
                    // Whichever it was; the other one's next symbol is any.
                    went = one.take_one();
                    if (went == Went::on) went = two.take_one();
                    break;
                }
            }
        }
        one.leave();
        two.leave();
        return went == Went::on;
    }

    // What is left of it; it says where its bytes end. False where it can't be one of ours.
    bool finish() {
        Place place(*this);
        Went went = Went::on;
        while (went == Went::on && place.has_much_left()) {
            place.mark();
            place.reader.refill();
            for (int i = 0; i < at_once; ++i) {
                if (!place.take_bytes()) [[unlikely]] {
                    went = place.take_one();
                    break;
                }
            }
        }
        while (went == Went::on) {
            if (place.at < stop_) place.mark();
            went = place.take_one();
        }
        place.leave();
        block_->bytes.end = static_cast<std::size_t>(at_ - out_);
        block_->bits = reader_.place() - block_->first_bit;
        return went == Went::to_the_end && !reader_.is_overrun() && block_->bytes.end > block_->bytes.begin;
    }

    // Whether the block is the stream's last.
    [[nodiscard]] bool is_last() const { return is_last_; }

  private:
    enum class Went { on, to_the_end, wrong };
    static constexpr int at_once = 5;  // lookups between two refills
    static_assert(at_once * SymbolTable::looked_at <= 56);
    static constexpr std::ptrdiff_t most_at_once = 3 * at_once + 1;  // bytes, with one that is written ahead

    // Where it is, copied so that its parts stay in registers.
    struct Place {
        explicit Place(BlockInflater& whose)
            : owner(whose), reader(whose.reader_), at(whose.at_), next_mark(whose.next_mark_) {}
        void leave() const {
            owner.reader_ = reader;
            owner.at_ = at;
            owner.next_mark_ = next_mark;
        }
        [[nodiscard]] TESSERA_INLINE bool has_much_left() const {
            return owner.stop_ - at >= most_at_once && !reader.is_far_over();
        }
        TESSERA_INLINE void mark() {
            if (at < next_mark) return;
            owner.block_->marks.push_back(
                {static_cast<std::uint32_t>(at - owner.out_), static_cast<std::uint32_t>(reader.place())});
            next_mark = at + photo_mark_step;
        }
        // Up to three bytes of those that are at hand. False where the next symbol is no byte, or a long one.
        TESSERA_INLINE bool take_bytes() {
            const SymbolTable::Entry entry = owner.table_[reader.peek()];
            if (SymbolTable::bytes_of(entry) == 0) return false;
            const std::uint32_t bytes = entry >> 8;
            std::memcpy(at, &bytes, sizeof bytes);
            at += SymbolTable::bytes_of(entry);
            reader.skip(SymbolTable::bits_of(entry));
            return true;
        }
        // One symbol of any kind.
        TESSERA_INLINE Went take_one() {
            if (reader.is_far_over()) return Went::wrong;
            reader.refill();
            SymbolTable::Entry entry = owner.table_[reader.peek()];
            if (SymbolTable::bits_of(entry) == 0) entry = owner.table_.long_code(entry, reader.peek());
            if (SymbolTable::bytes_of(entry) > 0) {
                if (at == owner.stop_) return Went::wrong;
                *at = static_cast<std::uint8_t>(entry >> 8);
                reader.skip(owner.codes_[*at++].length);  // the entry may be of several bytes
                return Went::on;
            }
            reader.skip(SymbolTable::bits_of(entry));
            const std::size_t symbol = entry >> 8;
            if (symbol == end_of_block) return Went::to_the_end;
            const RunSymbol& run = run_symbols[symbol];
            const std::size_t length = run.length + reader.take(run.extra_bits);
            const bool goes_on_from_one = at > owner.floor_ && reader.take(1) == 0;
            if (!goes_on_from_one || length > static_cast<std::size_t>(owner.stop_ - at)) return Went::wrong;
            std::memset(at, at[-1], length);
            at += length;
            return Went::on;
        }

        BlockInflater& owner;
        DeflateReader reader;
        std::uint8_t* at;
        const std::uint8_t* next_mark;
    };

    std::uint8_t* out_ = nullptr;
    PhotoBlock* block_ = nullptr;
    std::uint8_t* at_ = nullptr;
    std::uint8_t* stop_ = nullptr;
    const std::uint8_t* floor_ = nullptr;      // the first byte that a run may repeat
    const std::uint8_t* next_mark_ = nullptr;  // whoever gets there marks the symbol
    DeflateReader reader_;
    bool is_last_ = false;
    std::array<HuffmanCode, symbols> codes_;
    SymbolTable table_;
};

}  // namespace

std::optional<PhotoBlocks> photo_inflate(std::span<const std::uint8_t> stream, std::span<std::uint8_t> out,
                                         std::size_t size) {
    constexpr std::size_t fewest_bytes = 4096;  // of a block that is not the last: ours are many times as long
    PhotoBlocks blocks;
    BlockInflater inflater;
    std::size_t place = 0;
    std::size_t done = 0;
    do {
        PhotoBlock& block = blocks.emplace_back();
        block.bytes.begin = done;
        block.first_bit = place;
        if (!inflater.start(stream, out.data(), block, size) || !inflater.finish()) return std::nullopt;
        if (block.bytes.end - done < fewest_bytes && !inflater.is_last()) return std::nullopt;
        place += block.bits;
        done = block.bytes.end;
    } while (!inflater.is_last());
    if (done != size || (place + 7) / 8 != stream.size()) return std::nullopt;
    return blocks;
}

std::optional<PhotoBlocks> photo_inflate_blocks(std::span<const std::uint8_t> stream, std::span<std::uint8_t> out,
                                                std::span<const PlacedBlock> placed) {
    PhotoBlocks blocks(placed.size());
    std::array<BlockInflater, 2> inflaters;
    for (std::size_t i = 0; i < placed.size(); i += 2) {
        const std::size_t count = std::min<std::size_t>(2, placed.size() - i);
        for (std::size_t j = 0; j < count; ++j) {
            const PlacedBlock& place = placed[i + j];
            PhotoBlock& block = blocks[i + j];
            block.bytes.begin = place.bytes.begin;
            block.first_bit = place.first_bit;
            block.stands_alone = true;
            if (!inflaters[j].start(stream, out.data(), block, place.bytes.end)) return std::nullopt;
        }
        if (count == 2 && !BlockInflater::go_on_with_both(inflaters[0], inflaters[1])) return std::nullopt;
        for (std::size_t j = 0; j < count; ++j) {
            const PlacedBlock& place = placed[i + j];
            const PhotoBlock& block = blocks[i + j];
            if (!inflaters[j].finish() || inflaters[j].is_last() != place.is_last) return std::nullopt;
            if (block.bytes.end != place.bytes.end || block.first_bit + block.bits != place.end_bit)
                return std::nullopt;
        }
    }
    return blocks;
}

bool photo_may_end_with(std::span<const std::uint8_t> stream, const PlacedBlock& last) {
    DeflateReader reader(stream, last.first_bit);
    bool is_last = false;
    std::array<HuffmanCode, symbols> codes;
    if (!read_block_header(reader, is_last, codes) || !is_last) return false;
    const HuffmanCode end = codes[end_of_block];
    const std::size_t bits = 8 * stream.size();
    if (last.end_bit > bits || bits - last.end_bit >= 8 || last.end_bit < reader.place() + end.length) return false;
    const unsigned length = end.length + static_cast<unsigned>(bits - last.end_bit);
    return bits_at<BitOrder::first_is_lowest>(stream.data(), bits - length, length) == end.bits;
}

}  // namespace tessera::codecs
