#pragma once

#include <stdexcept>
#include <string>

namespace pentaglot {

// What the core throws when its input cannot be used. The bindings turn it into pentaglot.errors.PentaglotError.
class Error : public std::runtime_error {
  public:
    explicit Error(const std::string& message) : std::runtime_error(message) {}
};

// What it throws when stored arrays hold something that Pentaglot never writes: pentaglot.errors.StorageError in
// Python. If arrays are too long to be checked when they are opened, damage is found when they are used.
class Damage : public Error {
  public:
    explicit Damage(const std::string& message) : Error(message) {}
};

}  // namespace pentaglot
