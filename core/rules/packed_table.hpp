#pragma once

#include "rules/rule_bytes.hpp"
#include "rules/rule_table.hpp"

namespace pentaglot {

// A table as bytes, all columns as they are, to be put away for a while; only for the machine that made them.
ByteBuffer packed(const RuleTable& table);

// The table that such bytes hold. Throws Error if they hold none that a search could use.
RuleTable unpacked(Bytes bytes);

}  // namespace pentaglot
