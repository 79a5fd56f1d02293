#include "index/pattern_finder.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

namespace {

constexpr std::uint32_t none = PatternNode::none;
constexpr std::uint32_t root = 0;

// Work that costs less than this many steps is done again rather than looked up in the cache.
constexpr double worth_caching = 256;

}  // namespace

// The search for one sentence (Lopez 2008, algorithm 2, corrected). Patterns are met in order of their number of words,
// so a pattern's prefix and suffix are always known before it.
class PatternTreeBuilder {
  public:
    PatternTreeBuilder(PatternFinder& finder, std::span<const WordId> sentence, SentencePatterns& patterns)
        : finder_(finder), limits_(finder.limits_), options_(finder.options_), sentence_(sentence), tree_(patterns) {}

    void build() {
        const std::size_t length = sentence_.size();
        tree_.reset(64 * length);
        finder_.steps_.clear();
        PatternNode empty;
        empty.active = true;
        empty.core = root;
        tree_.nodes_.push_back(empty);
        for (std::uint32_t at = 0; at < length; ++at) finder_.steps_.push_back({at, at + 1, root, none});
        if (limits_.max_gaps > 0 && limits_.max_symbols >= 2 && limits_.max_span > limits_.min_gap) {
            const std::uint32_t gap = gap_after(root);
            for (std::uint32_t at = limits_.min_gap; at < length; ++at) {
                finder_.steps_.push_back({at - limits_.min_gap, at + 1, gap, none});
            }
        }
        for (std::size_t next = 0; next < finder_.steps_.size(); ++next) {
            listen_at<256>(next);
            take(finder_.steps_[next]);
        }
        sort_applications();
    }

  private:
    std::vector<PatternNode>& nodes() { return tree_.nodes_; }

    void take(const PatternFinder::NextWord step) {
        const WordId word = sentence_[step.end - 1];
        std::uint32_t node = tree_.child(step.prefix, word);
        if (node == none) node = add_word(step.prefix, word);
        if (!nodes()[node].active) return;
        const auto application = static_cast<std::uint32_t>(tree_.applications_.size());
        tree_.applications_.push_back({node, step.begin, step.end, step.previous});
        go_on(node, step, application);
    }

    // Queues what may follow a pattern at a place of the input.
    void go_on(std::uint32_t node, const PatternFinder::NextWord& step, std::uint32_t application) {
        const std::uint64_t length = sentence_.size();
        const PatternNode here = nodes()[node];
        if (here.symbols >= limits_.max_symbols) return;
        if (step.end < length && step.end + std::uint64_t{1} - step.begin <= limits_.max_span) {
            finder_.steps_.push_back({step.begin, step.end + 1, node, application});
        }
        const std::uint64_t after = std::uint64_t{step.end} + limits_.min_gap;
        if (here.gaps >= limits_.max_gaps || after > length || after - step.begin > limits_.max_span) return;
        std::uint32_t gapped = tree_.child(node, gap_symbol);
        if (gapped == none) gapped = gap_after(node);
        if (here.symbols + 2U > limits_.max_symbols || here.chunks >= limits_.max_chunks) return;
        const std::uint64_t end = std::min<std::uint64_t>(length, std::uint64_t{step.begin} + limits_.max_span);
        for (std::uint64_t at = after; at < end; ++at) {
            finder_.steps_.push_back({step.begin, static_cast<std::uint32_t>(at + 1), gapped, application});
        }
    }

    std::uint32_t gap_after(std::uint32_t prefix) {
        PatternNode node = nodes()[prefix];
        node.parent = prefix;
        node.symbol = gap_symbol;
        node.suffix = prefix == root ? root : tree_.child(node.suffix, gap_symbol);
        ++node.symbols;
        ++node.gaps;
        node.starts_with_gap |= prefix == root;
        node.ends_with_gap = true;
        node.list = none;
        return append(node);
    }

    std::uint32_t append(const PatternNode& node) {
        const auto number = static_cast<std::uint32_t>(nodes().size());
        nodes().push_back(node);
        if (nodes()[number].core == none) nodes()[number].core = number;
        tree_.add_child(node.parent, node.symbol, number);
        return number;
    }

    std::uint32_t add_word(std::uint32_t prefix, WordId word) {
        const PatternNode& before = nodes()[prefix];
        PatternNode node;
        node.parent = prefix;
        node.symbol = word;
        node.suffix = prefix == root ? root : tree_.child(before.suffix, word);
        node.symbols = static_cast<std::uint16_t>(before.symbols + 1);
        node.gaps = before.gaps;
        node.starts_with_gap = before.starts_with_gap;
        const bool new_chunk = before.ends_with_gap || prefix == root;
        node.chunks = static_cast<std::uint16_t>(before.chunks + (new_chunk ? 1 : 0));
        node.last_chunk_length = static_cast<std::uint16_t>(new_chunk ? 1 : before.last_chunk_length + 1);
        if (prefix == root) {
            node.range = look_up({}, 0, word, root);
            node.active = !node.range.empty();
        } else if (node.suffix == none || !nodes()[node.suffix].active) {
            ++tree_.counts_.pruned;
        } else if (node.starts_with_gap) {
            node.active = true;
            node.core = nodes()[node.suffix].core;
            node.last_chunk = nodes()[node.suffix].last_chunk;
            node.before_gap = nodes()[node.suffix].before_gap;
        } else if (before.gaps == 0) {
            node.range = look_up(before.range, before.symbols, word, prefix);
            node.active = !node.range.empty();
        } else {
            find_gapped(prefix, node);
        }
        if (node.contiguous() && node.active && finder_.precomputed_ != nullptr) {
            node.frequent = finder_.precomputed_->find(node.range, node.symbols);
        }
        const std::uint32_t number = append(node);
        if (node.contiguous()) nodes()[number].last_chunk = number;
        return number;
    }

    SuffixRange look_up(SuffixRange range, std::size_t depth, WordId word, std::uint32_t prefix) {
        ++tree_.counts_.contiguous;
        return prefix == root ? finder_.index_.find(word) : finder_.index_.extend(range, depth, word);
    }

    // Fills in the occurrences of a pattern with inner gaps, whose prefix and suffix are known to occur.
    void find_gapped(std::uint32_t prefix, PatternNode& node) {
        const PatternNode& before = nodes()[prefix];
        node.last_chunk =
            before.ends_with_gap ? tree_.child(root, node.symbol) : tree_.child(before.last_chunk, node.symbol);
        node.before_gap = before.ends_with_gap ? before.parent : before.before_gap;
        ++tree_.counts_.gapped;
        Occurrences found = query(prefix, node);
        node.active = !found.empty();
        if (!node.active) return;
        node.list = static_cast<std::uint32_t>(tree_.lists_.size());
        tree_.lists_.push_back(std::move(found));
    }

    std::optional<Occurrences> read_precomputed(const PatternNode& node) {
        if (finder_.precomputed_ == nullptr || !options_.collocations || node.chunks > 3) return std::nullopt;
        // A missing node can only come from a damaged index.
        const auto frequent = [&](std::uint32_t chunk) { return chunk == none ? none : nodes()[chunk].frequent; };
        const PatternNode& before = nodes()[node.before_gap];
        const std::uint32_t last = frequent(node.last_chunk), middle = frequent(before.last_chunk);
        if (node.chunks == 2) return finder_.precomputed_->pair(middle, last, limits_);
        const std::uint32_t first = frequent(nodes()[before.before_gap].last_chunk);
        return finder_.precomputed_->triple(first, middle, last, limits_);
    }

    // Lopez 2008, §4.2.7: the cheapest source of a pattern's occurrences.
    Occurrences query(std::uint32_t prefix, const PatternNode& node) {
        if (auto stored = read_precomputed(node)) {
            ++tree_.counts_.precomputed;
            return *stored;
        }
        const std::uint32_t one = nodes()[prefix].core, other = nodes()[node.suffix].core;
        const double size = count(one), other_size = count(other);
        const double few = std::min(size, other_size), many = std::max(size, other_size);
        const double joining = few + many + cost_of_sorting(one) + cost_of_sorting(other);
        // A scan reads a window of the text for each of the fewer occurrences. On 3.3 M tokens, weights of 2 to 4
        // against one step of a merge gave 0.21 ms a sentence, 12 gave 0.24 ms.
        const double scanning = 3 * few + cost_of_sorting(size <= other_size ? one : other);
        const bool scan = options_.scan && scanning < joining;
        const bool cached = finder_.cache_ != nullptr && std::min(joining, scan ? scanning : joining) > worth_caching;
        if (cached) {
            path(prefix, node.symbol);
            if (auto kept = finder_.cache_->find(path_)) {
                ++tree_.counts_.cached;
                return *kept;
            }
        }
        Occurrences found = scan ? scanned(prefix, node, size <= other_size) : joined(prefix, node);
        if (cached) {
            path(prefix, node.symbol);
            finder_.cache_->insert(path_, found);
        }
        return found;
    }

    JoinShape shape_of(std::uint32_t prefix, const PatternNode& node) {
        return {nodes()[node.suffix].starts_with_gap, nodes()[prefix].ends_with_gap, node.last_chunk_length};
    }

    Occurrences scanned(std::uint32_t prefix, const PatternNode& node, bool from_prefix) {
        ++tree_.counts_.scanned;
        const JoinShape shape = shape_of(prefix, node);
        if (from_prefix) {
            return scan_for_last(finder_.index_, limits_, shape, list_of(nodes()[prefix].core),
                                 nodes()[prefix].last_chunk_length, node.symbol);
        }
        return scan_for_first(finder_.index_, limits_, shape, list_of(nodes()[node.suffix].core), first_word(prefix));
    }

    Occurrences joined(std::uint32_t prefix, const PatternNode& node) {
        const Occurrences one = list_of(nodes()[prefix].core), other = list_of(nodes()[node.suffix].core);
        return join(finder_.index_, limits_, shape_of(prefix, node), one, other, options_.join, options_.lambda,
                    tree_.counts_.joins);
    }

    WordId first_word(std::uint32_t node) {
        while (nodes()[node].parent != root) node = nodes()[node].parent;
        return nodes()[node].symbol;
    }

    void path(std::uint32_t node, PatternSymbol last) {
        path_ = tree_.symbols(node);
        path_.push_back(last);
    }

    double count(std::uint32_t core) {
        const PatternNode& node = nodes()[core];
        return node.contiguous() ? node.range.size() : static_cast<double>(tree_.lists_[node.list].size());
    }

    // 0 if the occurrences are sorted already.
    double cost_of_sorting(std::uint32_t core) {
        const PatternNode& node = nodes()[core];
        if (node.list != none || (options_.sequences && node.frequent != none)) return 0;
        const double size = node.range.size();
        return size < 100 ? size * std::log2(size + 1) : 600 + 2 * size;
    }

    // The occurrences of a core pattern in text order, sorted when first needed.
    const Occurrences& list_of(std::uint32_t core) {
        PatternNode& node = nodes()[core];
        if (node.list == none) {
            node.list = static_cast<std::uint32_t>(tree_.lists_.size());
            tree_.lists_.push_back(sorted(core));
        }
        return tree_.lists_[node.list];
    }

    Occurrences sorted(std::uint32_t core) {
        const PatternNode& node = nodes()[core];
        if (options_.sequences && node.frequent != none) return finder_.precomputed_->sequence(node.frequent);
        const bool cached = finder_.cache_ != nullptr && cost_of_sorting(core) > worth_caching;
        if (cached) {
            if (auto kept = finder_.cache_->find(tree_.symbols(core))) return *kept;
        }
        tree_.counts_.sorted += node.range.size();
        Occurrences found = sorted_occurrences(finder_.index_, node.range);
        if (cached) finder_.cache_->insert(tree_.symbols(core), found);
        return found;
    }

    void sort_applications() {
        auto& first = tree_.first_application_;
        first.assign(nodes().size() + 1, 0);
        for (const Application& each : tree_.applications_) ++first[each.node + 1];
        for (std::size_t node = 1; node < first.size(); ++node) first[node] += first[node - 1];
        std::vector<std::uint32_t> next(first.begin(), first.end() - 1), moved(tree_.applications_.size());
        for (std::size_t at = 0; at < moved.size(); ++at) moved[at] = next[tree_.applications_[at].node]++;
        std::vector<Application> sorted(moved.size());
        for (std::size_t at = 0; at < moved.size(); ++at) {
            Application each = tree_.applications_[at];
            if (each.previous != none) each.previous = moved[each.previous];
            sorted[moved[at]] = each;
        }
        tree_.applications_ = std::move(sorted);
    }

    PatternFinder& finder_;
    const GrammarLimits& limits_;
    const LookupOptions& options_;
    std::span<const WordId> sentence_;
    SentencePatterns& tree_;
    std::vector<PatternSymbol> path_;
};

PatternFinder::PatternFinder(const SourceIndex& index, const Precomputed* precomputed, const GrammarLimits& limits,
                             const LookupOptions& options, PatternCache* cache)
    : index_(index), precomputed_(precomputed), limits_(limits), options_(options), cache_(cache) {
    limits.validate();
}

void PatternFinder::find(std::span<const WordId> sentence, SentencePatterns& patterns) {
    if (sentence.size() >= unlimited || std::find(sentence.begin(), sentence.end(), gap_symbol) != sentence.end()) {
        throw Error("a sentence to look up is too long or has an invalid word id");
    }
    PatternTreeBuilder(*this, sentence, patterns).build();
}

}  // namespace pentaglot
