// kith: an Entity Component System whose entities form a graph.
//
//     #include <kith/kith.hpp>
//
//     struct Position { float x, y; };
//
//     int main() {
//       kith::world world;
//       auto ship = world.entity("ship").set(Position{0, 0});
//       auto bob = world.entity("bob").child_of(ship).set(Position{1, 2});
//       world.entity("alice").add(world.entity("Likes"), bob);
//     }
//
// Read on in this order:
#pragma once

// clang-format off
#include <kith/error.hpp>      // what goes wrong
#include <kith/builtins.hpp>   // ChildOf, Wildcard and the other entities that are always there
#include <kith/id.hpp>         // what can be added to an entity
#include <kith/entity.hpp>     // components, tags and relations of one entity
#include <kith/ref.hpp>        // a value that is looked up at each use
#include <kith/ranges.hpp>     // targets, children, types
#include <kith/component.hpp>  // types as entities
#include <kith/query.hpp>      // entities by what they have
#include <kith/query_builder.hpp>
#include <kith/hooks.hpp>      // what happens to values of a type
#include <kith/event.hpp>      // messages to entities and observers
#include <kith/observer.hpp>   // what changes bring and take
#include <kith/system.hpp>     // queries that each frame runs
#include <kith/schedule.hpp>   // in which order, and what at the same time
#include <kith/executor.hpp>   // on which threads
#include <kith/world.hpp>      // where entities live
#include <kith/module.hpp>     // what belongs together
// clang-format on
