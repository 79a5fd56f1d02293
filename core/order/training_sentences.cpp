#include "order/training_sentences.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/checksum.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "order/permutation_tree.hpp"

namespace pentaglot {
namespace {

constexpr std::size_t together = 512;

enum class Verdict : std::uint8_t { kept, opaque, length, no_links, complex };

}  // namespace

TrainingSentences::TrainingSentences(const Text& text, const CorpusLinks& links, TrainingLimits limits,
                                     unsigned threads)
    : limits_(std::move(limits)) {
    links.check();
    if (text.size() != links.size()) throw Error("the text and the links have unequal numbers of sentences");
    if (limits_.most_children > most_children) throw Error("no operator of a grammar has more than five children");
    if (limits_.attachments.empty()) throw Error("words without links must be attached somewhere");
    std::vector<SentenceUnits> units(text.size());
    std::vector<Verdict> verdicts(text.size(), Verdict::kept);
    parallel_for((text.size() + together - 1) / together, threads, [&](std::size_t shard, unsigned) {
        for (std::size_t i = shard * together; i < std::min(text.size(), (shard + 1) * together); ++i) {
            listen_at<64>(i);
            const std::size_t length = text[i].size();
            if (length != links.lengths[i]) throw Error("the links are those of other sentences");
            if (length < limits_.least_words || length > limits_.most_words || length == 0) {
                verdicts[i] = Verdict::length;
                continue;
            }
            const auto blocks = minimal_phrases(length, links[i]);
            units[i] = units_of(length, blocks);
            if (blocks.empty()) {
                verdicts[i] = Verdict::no_links;
            } else if (largest_arity(flat_tree(linear_tree(units[i].ranks))) > limits_.most_children) {
                if (limits_.opaque) units[i] = units_of(length, with_opaque_operators(blocks, limits_.most_children));
                // Nothing is left to learn from if the whole sentence is one phrase.
                verdicts[i] = limits_.opaque && units[i].ranks.size() > 1 ? Verdict::opaque : Verdict::complex;
            }
        }
    });
    for (std::size_t i = 0; i < text.size(); ++i) {
        too_short_or_long_ += verdicts[i] == Verdict::length;
        without_links_ += verdicts[i] == Verdict::no_links;
        too_complex_ += verdicts[i] == Verdict::complex;
        opaque_ += verdicts[i] == Verdict::opaque;
        if (verdicts[i] > Verdict::opaque) continue;
        kept_.push_back(static_cast<std::uint32_t>(i));
        const SentenceUnits& each = units[i];
        ranks_.insert(ranks_.end(), each.ranks.begin(), each.ranks.end());
        rank_offsets_.push_back(ranks_.size());
        loose_.insert(loose_.end(), each.loose.begin(), each.loose.end());
        begins_.insert(begins_.end(), each.begins.begin(), each.begins.end() - 1);
        unit_offsets_.push_back(loose_.size());
        words_.insert(words_.end(), text[i].begin(), text[i].end());
        word_offsets_.push_back(words_.size());
    }
    terminals_.assign(loose_.size(), unknown_terminal);
    factors_.assign(loose_.size(), 1.0F);
}

std::span<const WordId> TrainingSentences::words(std::size_t sentence, std::size_t unit) const {
    const std::size_t at = unit_offsets_[sentence] + unit;
    const std::size_t begin = word_offsets_[sentence] + begins_[at];
    const bool last = at + 1 == unit_offsets_[sentence + 1];
    const std::size_t end = last ? word_offsets_[sentence + 1] : word_offsets_[sentence] + begins_[at + 1];
    return std::span(words_).subspan(begin, end - begin);
}

std::vector<std::uint32_t> TrainingSentences::word_counts(std::size_t vocabulary, bool alone) const {
    std::vector<std::uint32_t> counts(vocabulary, 0);
    for (std::size_t i = 0; i < size(); ++i) {
        listen_at<1024>(i);
        for (std::size_t unit = 0; unit < terminals(i).size(); ++unit) {
            const auto found = words(i, unit);
            if (alone && found.size() > 1) continue;
            for (const WordId word : found) {
                if (word >= vocabulary) throw Error("the text has words that its vocabulary lacks");
                ++counts[word];
            }
        }
    }
    return counts;
}

TrainingSentences::Phrases TrainingSentences::assign(std::span<const TerminalId> word_terminals,
                                                     std::span<const float> factors, TerminalId first,
                                                     std::size_t cutoff) {
    if (factors.size() != word_terminals.size()) throw Error("there must be one factor for each word");
    struct Seen {
        std::size_t count = 0;
        TerminalId id = unknown_terminal;
    };
    const auto less = [](std::span<const WordId> a, std::span<const WordId> b) {
        return std::ranges::lexicographical_compare(a, b);
    };
    std::map<std::span<const WordId>, Seen, decltype(less)> seen(less);
    const auto all_units = [&](const auto& visit) {
        for (std::size_t i = 0; i < size(); ++i) {
            listen_at<1024>(i);
            for (std::size_t unit = 0; unit < terminals(i).size(); ++unit) {
                visit(unit_offsets_[i] + unit, words(i, unit));
            }
        }
    };
    all_units([&](std::size_t, std::span<const WordId> found) {
        if (found.size() > 1) ++seen[found].count;
    });
    Phrases phrases;
    all_units([&](std::size_t at, std::span<const WordId> found) {
        if (found.size() == 1) {
            if (found[0] >= word_terminals.size()) throw Error("the text has words that its vocabulary lacks");
            terminals_[at] = word_terminals[found[0]];
            factors_[at] = factors[found[0]];
            return;
        }
        Seen& phrase = seen[found];
        if (phrase.count > cutoff && phrase.id == unknown_terminal) {
            phrase.id = first + static_cast<TerminalId>(phrases.offsets.size() - 1);
            phrases.words.insert(phrases.words.end(), found.begin(), found.end());
            phrases.offsets.push_back(phrases.words.size());
        }
        terminals_[at] = phrase.id;
        factors_[at] = 1.0F;
    });
    return phrases;
}

OrderChart TrainingSentences::chart(std::size_t sentence) const {
    const auto ranks =
        std::span(ranks_).subspan(rank_offsets_[sentence], rank_offsets_[sentence + 1] - rank_offsets_[sentence]);
    return make_chart(flat_tree(linear_tree(ranks)), {ranks, part(loose_, sentence)}, limits_.trees,
                      limits_.attachments);
}

TrainingSentences::EdgeCounts TrainingSentences::edge_counts(std::size_t terminal_count, unsigned threads) const {
    constexpr std::size_t groups = 16;
    struct Counts {
        std::vector<double> slots = std::vector<double>(slot_kinds * operators.size(), 0.0);
        std::unordered_map<std::uint64_t, double> words;  // by terminal * 256 + slot kind
    };
    std::vector<Counts> counts(groups);
    parallel_for(groups, threads, [&](std::size_t group, unsigned) {
        Counts& own = counts[group];
        for (std::size_t i = size() * group / groups; i < size() * (group + 1) / groups; ++i) {
            listen_at<16>(i);
            const OrderChart made = chart(i);
            const auto count = [&](std::size_t slot, std::uint32_t child) {
                const auto& cell = made.cells[child];
                if (cell.first_node == cell.last_node) {
                    const TerminalId terminal = terminals(i)[cell.begin];
                    if (terminal >= terminal_count) throw Error("a unit has a terminal that does not exist");
                    own.words[terminal * std::uint64_t{256} + slot] += 1.0;
                }
                for (std::uint32_t node = cell.first_node; node < cell.last_node; ++node) {
                    own.slots[slot * operators.size() + made.nodes[node].kind] += 1.0;
                }
            };
            count(first_slot_numbers[root], static_cast<std::uint32_t>(made.cells.size() - 1));
            for (const auto& node : made.nodes) {
                for (std::size_t c = 0; c < node.arity; ++c) {
                    for (std::uint32_t edge = node.first_edge; edge < node.last_edge; ++edge) {
                        count(first_slot_numbers[node.kind] + c, made.children_of(node, edge)[c]);
                    }
                }
            }
        }
    });
    EdgeCounts all{std::vector<double>(slot_kinds * operators.size(), 0.0), {0}, {}, {}};
    std::map<std::uint64_t, double> words;  // whole numbers, so their order does not matter
    for (const Counts& group : counts) {
        for (std::size_t i = 0; i < all.slots.size(); ++i) all.slots[i] += group.slots[i];
        for (const auto& [key, number] : group.words) words[key] += number;
    }
    for (const auto& [key, number] : words) {
        while (all.offsets.size() <= key / 256) all.offsets.push_back(all.entries.size());
        all.entries.push_back(static_cast<std::uint8_t>(key % 256));
        all.words.push_back(number);
    }
    all.offsets.resize(terminal_count + 1, all.entries.size());
    return all;
}

}  // namespace pentaglot
