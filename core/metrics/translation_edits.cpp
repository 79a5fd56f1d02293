#include "metrics/translation_edits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

namespace {

constexpr std::size_t longest_shift = 10, farthest_shift = 50, most_tried = 1000;
constexpr std::int64_t narrowest_beam = 25;
constexpr std::int32_t unreachable = 1 << 29;

}  // namespace

std::size_t TranslationEdits::count(std::span<const std::uint32_t> hypothesis,
                                    std::span<const std::uint32_t> reference) {
    if (reference.empty()) return hypothesis.size();
    if (hypothesis.empty()) return reference.size();
    reference_ = reference;
    words_.assign(hypothesis.begin(), hypothesis.end());
    length_ratio_ = static_cast<double>(reference.size()) / static_cast<double>(words_.size());
    // Where lengths differ so much that neighbouring rows would have nothing in common, the beam is wider.
    beam_ = narrowest_beam;
    if (static_cast<double>(beam_) < length_ratio_ / 2)
        beam_ = static_cast<std::int64_t>(std::ceil(length_ratio_ / 2 + static_cast<double>(beam_)));
    make_table();
    if (reference.size() <= BitDistance::longest) bits_.assign(reference);
    begin_round();
    std::size_t shifts = 0;
    shift_while_it_helps(shifts);
    return shifts + static_cast<std::size_t>(distance());
}

void TranslationEdits::shift_while_it_helps(std::size_t& shifts) {
    for (std::size_t tried = 0;;) {
        const Shift best = best_shift(tried);
        if (tried >= most_tried || best.gain <= 0) return;
        ++shifts;
        fill_trial(best);
        words_.swap(trial_);
        begin_round();
    }
}

void TranslationEdits::begin_round() {
    filled_ = exact_ = false;
    if (reference_.size() <= BitDistance::longest) {
        bits_.begin(words_);
        exact_ = within_beam(bits_.distance());
    }
    if (!exact_) fill_table();
}

// If there are few enough edits, they never leave the beam. A path through the table that is k off the diagonal has k
// words inserted or deleted before and k - apart after, so it is at most half of distance + apart off the line from
// corner to corner, which the beam follows.
bool TranslationEdits::within_beam(std::int64_t distance) const {
    const auto apart = static_cast<std::int64_t>(words_.size()) - static_cast<std::int64_t>(reference_.size());
    return distance + std::abs(apart) < 2 * (beam_ - 1);
}

// Cells outside the band are never read, so segments may have any number of words.
TranslationEdits::Band TranslationEdits::band(std::size_t number) const {
    const auto width = static_cast<std::int64_t>(reference_.size()) + 1;
    if (number == 0) return {0, width, 0, width};
    const auto diagonal = static_cast<std::int64_t>(std::floor(static_cast<double>(number) * length_ratio_));
    const std::int64_t begin = std::max(std::int64_t{0}, diagonal - beam_);
    const std::int64_t end = number == words_.size() ? width : std::min(width, diagonal + beam_);
    const auto step = static_cast<std::int64_t>(length_ratio_) + 2;
    const std::int64_t last = number + 1 == words_.size() ? width : std::min(width, end + step);
    return {begin, end, std::max(std::int64_t{0}, begin - 1), last};
}

void TranslationEdits::make_table() {
    rows_.resize(words_.size() + 1);
    std::size_t cells = 0;
    for (std::size_t number = 0; number <= words_.size(); ++number) {
        const Band band = this->band(number);
        rows_[number] = cells;
        cells += static_cast<std::size_t>(band.last - band.first);
    }
    table_.resize(cells);
    const std::size_t width = reference_.size() + 1;
    for (std::size_t column = 0; column < width; ++column) table_[column] = static_cast<std::int32_t>(column);
    above_.resize(width);
    below_.resize(width);
}

void TranslationEdits::fill_table() {
    filled_ = true;
    for (std::size_t number = 1; number <= words_.size(); ++number) {
        listen_at<1024>(number);
        fill_row(words_, number, row(number - 1), row(number));
    }
}

void TranslationEdits::fill_row(const Words& words, std::size_t number, Cells above, Cells cells) const {
    const Band band = this->band(number);
    for (std::int64_t column = band.end; column < band.last; ++column) cells[column] = unreachable;
    if (band.begin == 0)
        cells[0] = above[0] + 1;
    else
        cells[band.begin - 1] = unreachable;
    const std::uint32_t word = words[number - 1];
    for (std::int64_t column = std::max(band.begin, std::int64_t{1}); column < band.end; ++column) {
        const std::int32_t replaced = above[column - 1] + (word != reference_[static_cast<std::size_t>(column - 1)]);
        const std::int32_t edited = std::min(above[column], cells[column - 1]) + 1;
        cells[column] = std::min(unreachable, std::min(replaced, edited));
    }
}

// What a shift leaves: the words before `begin`, those of [middle, end), those of [begin, middle), and the rest.
TranslationEdits::Exchange TranslationEdits::exchange(const Shift& shift) const {
    const std::size_t end = shift.begin + shift.length;
    if (shift.target < shift.begin) return {shift.target, shift.begin, end};
    if (shift.target > end) return {shift.begin, end, shift.target};
    // A target inside the shifted words: as many words move from behind them to before them.
    return {shift.begin, end, std::min(words_.size(), shift.target + shift.length)};
}

std::int64_t TranslationEdits::distance_after(const Shift& shift) {
    const auto [begin, middle, end] = exchange(shift);
    if (reference_.size() <= BitDistance::longest) {
        const std::span<const std::uint32_t> words(words_);
        const std::int64_t found = bits_.of(
            begin, {words.subspan(middle, end - middle), words.subspan(begin, middle - begin), words.subspan(end)});
        if (within_beam(found)) return found;
    }
    listen();
    if (!filled_) fill_table();
    fill_trial(shift);
    if (trial_ == words_) return distance();
    Cells above = row(begin);
    for (std::size_t number = begin + 1; number <= trial_.size(); ++number) {
        listen_at<1024>(number);
        fill_row(trial_, number, above, {below_.data(), 0});
        above_.swap(below_);
        above = {above_.data(), 0};
    }
    return above_[reference_.size()];
}

// Where each word of the reference is in the hypothesis, and which words of both are edited, by the cheapest edits: of
// equally cheap ones, replacing before deleting before inserting, seen from the end.
void TranslationEdits::align() {
    aligned_.assign(reference_.size(), -1);
    wrong_here_.assign(words_.size() + 1, 0);
    wrong_there_.assign(reference_.size() + 1, 0);
    std::size_t here = words_.size(), there = reference_.size();
    while (here > 0 || there > 0) {
        const std::int64_t cost = cell(here, there);
        const bool both = here > 0 && there > 0;
        const bool wrong = both && words_[here - 1] != reference_[there - 1];
        if (both && cell(here - 1, there - 1) + wrong == cost) {
            aligned_[there - 1] = static_cast<std::int64_t>(here) - 1;
            wrong_here_[here--] = wrong;
            wrong_there_[there--] = wrong;
        } else if (here > 0 && (there == 0 || cell(here - 1, there) + 1 == cost)) {
            wrong_here_[here--] = 1;
        } else {
            aligned_[there - 1] = static_cast<std::int64_t>(here) - 1;
            wrong_there_[there--] = 1;
        }
    }
    for (std::size_t at = 1; at < wrong_here_.size(); ++at) wrong_here_[at] += wrong_here_[at - 1];
    for (std::size_t at = 1; at < wrong_there_.size(); ++at) wrong_there_[at] += wrong_there_[at - 1];
}

TranslationEdits::Shift TranslationEdits::best_shift(std::size_t& tried) {
    align();
    Shift best{-unreachable, 0, 0, 0};
    for (std::size_t begin = 0; begin < words_.size(); ++begin) {
        listen_at<64>(begin);
        const std::size_t nearest = begin < farthest_shift ? 0 : begin - farthest_shift;
        const std::size_t farthest = std::min(reference_.size(), begin + farthest_shift + 1);
        for (std::size_t place = nearest; place < farthest; ++place) {
            const std::size_t most = std::min({longest_shift, words_.size() - begin, reference_.size() - place});
            for (std::size_t length = 1; length <= most; ++length) {
                if (words_[begin + length - 1] != reference_[place + length - 1]) break;
                try_targets(begin, place, length, tried, best);
                if (tried >= most_tried) return best;
            }
        }
    }
    return best;
}

// Tries to move words to where the same words are in the reference, before and after each of these.
void TranslationEdits::try_targets(std::size_t begin, std::size_t place, std::size_t length, std::size_t& tried,
                                   Shift& best) {
    // Words that are right where they are, or whose place is taken by the right words, stay.
    if (wrong_here_[begin + length] == wrong_here_[begin] || wrong_there_[place + length] == wrong_there_[place])
        return;
    const auto from = static_cast<std::int64_t>(begin);
    if (from <= aligned_[place] && aligned_[place] < from + static_cast<std::int64_t>(length)) return;
    std::int64_t before = -1;
    for (std::size_t offset = 0; offset <= length; ++offset) {
        const std::int64_t target = place + offset == 0 ? 0 : aligned_[place + offset - 1] + 1;
        if (target == before) continue;
        before = target;
        Shift shift{0, length, begin, static_cast<std::size_t>(target)};
        shift.gain = distance() - distance_after(shift);
        ++tried;
        // Of equally good shifts the longest wins, then the earliest.
        const auto rank = [](const Shift& each) {
            return std::tuple(-each.gain, -static_cast<std::int64_t>(each.length), each.begin, each.target);
        };
        if (rank(shift) < rank(best)) best = shift;
    }
}

void TranslationEdits::fill_trial(const Shift& shift) {
    trial_ = words_;
    const auto [begin, middle, end] = exchange(shift);
    const auto at = [&](std::size_t place) { return trial_.begin() + static_cast<std::ptrdiff_t>(place); };
    std::rotate(at(begin), at(middle), at(end));
}

}  // namespace pentaglot
