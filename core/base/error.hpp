#pragma once

#include <stdexcept>
#include <string>

namespace pentaglot {

// What the core throws when its input cannot be used. The bindings turn it into pentaglot.errors.PentaglotError.
class Error : public std::runtime_error {
  public:
    explicit Error(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace pentaglot
