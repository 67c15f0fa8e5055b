// What goes wrong, as data.
//
//     try {
//       bob.add(kith::ChildOf, bob);
//     } catch (const kith::error& e) {
//       e.code();  // kith::errc::constraint
//       e.what();  // "adding (ChildOf, bob) to bob would close a cycle, and ChildOf is Acyclic"
//     }
//
// A call that raises an error has changed nothing. Absence is no error: `get` and `lookup` answer
// null.
#pragma once

#include <kith/detail/error.hpp>
