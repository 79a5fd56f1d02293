#include <nanobind/nanobind.h>

#include "base/error.hpp"
#include "rooms.hpp"

namespace nb = nanobind;

NB_MODULE(_core, module) {
    module.doc() = "The native core of Pentaglot: one submodule for each room.";
    // Objects that live until the interpreter ends are no news to a user.
    nb::set_leak_warnings(false);
    nb::register_exception_translator([](const std::exception_ptr& error, void*) {
        try {
            std::rethrow_exception(error);
        } catch (const pentaglot::Error& e) {
            PyErr_SetString(nb::module_::import_("pentaglot.errors").attr("PentaglotError").ptr(), e.what());
        }
    });
    auto base = module.def_submodule("base", "Checksums and the parallel loop.");
    bind_base(base);
    auto corpus = module.def_submodule("corpus", "Vocabularies and texts of word ids.");
    bind_corpus(corpus);
    auto align = module.def_submodule("align", "Word alignment.");
    bind_align(align);
    auto lm = module.def_submodule("lm", "Language models.");
    bind_lm(lm);
    auto forest = module.def_submodule("forest", "Packed forests.");
    bind_forest(forest);
    auto index = module.def_submodule("index", "Suffix arrays and pattern lookup.");
    bind_index(index);
    auto rules = module.def_submodule("rules", "Rules from occurrences.");
    bind_rules(rules);
    auto search = module.def_submodule("search", "Searches for translations.");
    bind_search(search);
    auto metrics = module.def_submodule("metrics", "Statistics of metrics.");
    bind_metrics(metrics);
    auto learn = module.def_submodule("learn", "Tuning of weights.");
    bind_learn(learn);
}
