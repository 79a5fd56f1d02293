#include "metrics/tokenize_13a.hpp"

#include "metrics/punctuation.hpp"

namespace pentaglot {

std::string tokenize_13a(std::string_view text) {
    std::string plain(text);
    if (plain.find_first_of("<\n&") != std::string::npos) {
        replace_all(plain, "<skipped>", "");
        replace_all(plain, "-\n", "");
        replace_all(plain, "\n", " ");
        unescape(plain);
    }
    std::string line = with_symbols_parted(plain);
    part_stops(line);
    return line;
}

}  // namespace pentaglot
