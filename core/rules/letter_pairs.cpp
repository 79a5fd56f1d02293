#include "rules/letter_pairs.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

namespace {

class Units {
  public:
    std::uint32_t number(std::uint64_t source, std::uint64_t target) {
        const auto one = give(sources_, source), other = give(targets_, target);
        const auto next = static_cast<std::uint32_t>(found_.size());
        const auto [entry, fresh] = numbers_.emplace(std::uint64_t{one} << 32U | other, next);
        if (fresh) found_.push_back({source, target});
        return entry->second;
    }
    std::vector<LetterPairs::Unit> take() { return std::move(found_); }

  private:
    using Numbers = std::unordered_map<std::uint64_t, std::uint32_t>;
    static std::uint32_t give(Numbers& numbers, std::uint64_t key) {
        return numbers.emplace(key, static_cast<std::uint32_t>(numbers.size())).first->second;
    }

    Numbers sources_, targets_, numbers_;
    std::vector<LetterPairs::Unit> found_;
};

}  // namespace

void check_spellings(const SpeltWords& words) {
    if (words.offsets.empty() || words.offsets.front() != 0 || words.offsets.back() != words.letters.size())
        throw Error("the letters of some words are missing");
    for (std::size_t number = 0; number < words.size(); ++number) {
        const std::uint64_t begin = words.offsets[number], end = words.offsets[number + 1];
        if (end <= begin || end - begin > longest_spelling || end > words.letters.size())
            throw Error("a word has no letters, or too many");
    }
    if (std::ranges::any_of(words.letters, [](Letter letter) { return letter >= most_letters; }))
        throw Error("a letter is not a code point");
}

LetterPairs::LetterPairs(SpeltWords source, SpeltWords target) {
    check_spellings(source);
    check_spellings(target);
    if (source.size() != target.size()) throw Error("the two sides have unequal numbers of words");
    Units units;
    pairs_.reserve(source.size());
    for (std::size_t number = 0; number < source.size(); ++number) {
        listen_at<64>(number);
        const auto one = source[number], other = target[number];
        const Pair pair{static_cast<std::uint32_t>(one.size()), static_cast<std::uint32_t>(other.size()), {}};
        pairs_.push_back({pair.source, pair.target, cells_.size()});
        letters_ += one.size();
        for (std::uint32_t i = 0; i < pair.source; ++i) {
            for (std::uint32_t j = 0; j <= pair.target; ++j) {
                for (const UnitShape shape : unit_shapes) {
                    if (fits(pair, i, j, shape))
                        cells_.push_back(units.number(gram_key(one.subspan(i, shape.source)),
                                                      gram_key(other.subspan(j, shape.target))));
                }
            }
        }
    }
    units_ = units.take();
}

}  // namespace pentaglot
