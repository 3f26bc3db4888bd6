// Drives a fuzz target without a fuzzer: every file of a corpus folder, then mutations of them from a fixed seed.
//   fuzz_X CORPUS [ROUNDS]
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Input = std::vector<std::uint8_t>;

std::vector<Input> read_corpus(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
    std::ranges::sort(files);
    std::vector<Input> corpus;
    for (const auto& file : files) {
        std::ifstream in(file, std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    return corpus;
}

void mutate(Input& input, const std::vector<Input>& corpus, std::mt19937_64& random) {
    const auto place = [&](std::size_t size) { return static_cast<std::ptrdiff_t>(size == 0 ? 0 : random() % size); };
    switch (random() % 6) {
        case 0:
            if (!input.empty())
                input[static_cast<std::size_t>(place(input.size()))] ^= static_cast<std::uint8_t>(1U << random() % 8);
            break;
        case 1: input.insert(input.begin() + place(input.size() + 1), static_cast<std::uint8_t>(random())); break;
        case 2:
            if (!input.empty()) input.erase(input.begin() + place(input.size()));
            break;
        case 3: input.resize(static_cast<std::size_t>(place(input.size() + 1))); break;
        case 4: {  // a piece of another input
            const auto& other = corpus[static_cast<std::size_t>(place(corpus.size()))];
            const auto from = place(other.size() + 1);
            const auto to = from + place(other.size() - static_cast<std::size_t>(from) + 1);
            input.insert(input.begin() + place(input.size() + 1), other.begin() + from, other.begin() + to);
            break;
        }
        default: {  // a piece of its own, once more
            const auto from = place(input.size() + 1);
            const Input piece(input.begin() + from,
                              input.begin() + from + place(input.size() - static_cast<std::size_t>(from) + 1));
            input.insert(input.begin() + place(input.size() + 1), piece.begin(), piece.end());
        }
    }
    if (input.size() > 64 * 1024) input.resize(64 * 1024);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::cerr << "usage: " << argv[0] << " CORPUS [ROUNDS]\n";
        return 2;
    }
    const auto corpus = read_corpus(argv[1]);
    if (corpus.empty()) {
        std::cerr << "no inputs in " << argv[1] << "\n";
        return 2;
    }
    const long rounds = argc > 2 ? std::atol(argv[2]) : 20'000;
    for (const auto& input : corpus) LLVMFuzzerTestOneInput(input.data(), input.size());
    std::mt19937_64 random(1);
    for (long round = 0; round < rounds; ++round) {
        Input input = corpus[random() % corpus.size()];
        for (auto steps = 1 + random() % 8; steps > 0; --steps) mutate(input, corpus, random);
        LLVMFuzzerTestOneInput(input.data(), input.size());
    }
    std::cout << corpus.size() << " inputs and " << rounds << " mutations\n";
}
