#include <nanobind/nanobind.h>

#include <array>

#include "base/error.hpp"
#include "rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

struct Room {
    const char* name;
    const char* help;
    void (*bind)(nb::module_&);
};

// A room's arguments and results may be those of the rooms before it.
constexpr std::array rooms{
    Room{"base", "Checksums and the parallel loop.", bind_base},
    Room{"corpus", "Vocabularies and texts of word ids.", bind_corpus},
    Room{"align", "Word alignment.", bind_align},
    Room{"lm", "Language models.", bind_lm},
    Room{"forest", "Packed forests.", bind_forest},
    Room{"order", "Permutations and the reordering grammar.", bind_order},
    Room{"index", "Suffix arrays and pattern lookup.", bind_index},
    Room{"rules", "Rules from occurrences.", bind_rules},
    Room{"search", "Searches for translations.", bind_search},
    Room{"metrics", "Statistics of metrics.", bind_metrics},
    Room{"learn", "Tuning of weights.", bind_learn},
    Room{"evaluate", "Tests of differences between systems.", bind_evaluate},
};

}  // namespace

NB_MODULE(_core, module) {
    module.doc() = "The native core of Pentaglot: one submodule for each room.";
    // Users need no warning of objects that live until the interpreter ends.
    nb::set_leak_warnings(false);
    nb::register_exception_translator([](const std::exception_ptr& error, void*) {
        try {
            std::rethrow_exception(error);
        } catch (const pentaglot::Damage& e) {
            const nb::object kind = nb::module_::import_("pentaglot.errors").attr("StorageError");
            const nb::object told = kind(nb::str(e.what()), "hint"_a = "build it again or restore a copy");
            PyErr_SetObject(kind.ptr(), told.ptr());
        } catch (const pentaglot::Error& e) {
            PyErr_SetString(nb::module_::import_("pentaglot.errors").attr("PentaglotError").ptr(), e.what());
        }
    });
    for (const auto& [name, help, bind] : rooms) {
        nb::module_ room = module.def_submodule(name, help);
        bind(room);
    }
}
