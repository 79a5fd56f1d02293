#pragma once

#include "rules/rule_bytes.hpp"
#include "rules/rule_table.hpp"

namespace pentaglot {

// A table as bytes, column by column, to be kept for a while and read on the same machine.
ByteBuffer packed(const RuleTable& table);

// The table in such bytes. Throws Error if they hold no table that a search could use.
RuleTable unpacked(Bytes bytes);

}  // namespace pentaglot
