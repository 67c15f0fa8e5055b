// Plays operations on worlds and their models, and compares them after each.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/operation.hpp"
#include "model/twin.hpp"

namespace kith_model {

// Worlds stay small, so that the same entities are used often.
inline constexpr std::size_t max_entities = 30;

class player {
 public:
  // What becomes of the changes of a call: they stay, or they are taken back and carried out again.
  enum class calls { once, back_and_forth };
  player(int worlds, kith::entity_t instantiate, calls how = calls::once);
  ~player();

  // Throws a mismatch.
  void play(const operation& o);
  // Ends open deferrals, compares all worlds once more and destroys them.
  void finish();

  // The steps so far, one line for each: `w0: add e3 (e1, e5)`.
  std::string log() const;

 private:
  // The outcome of a call of the library.
  struct outcome {
    std::optional<kith::errc> raised = std::nullopt;
    bool failed = false;  // the constructor of a component threw
    std::string message = {};
  };
  outcome attempt(const std::function<void()>& call);
  outcome attempt_once(const std::function<void()>& call);
  // player_back.cpp
  outcome attempt_and_take_back(const std::function<void()>& call);
  void compare_kept_queries(const char* when);
  // Throws a mismatch unless the call raised one of the errors, or none if `expected` is empty.
  void agree(const outcome& o, const faults& expected);
  void expect_failure(const outcome& o);

  // --- choosing (choice.cpp) ---
  std::vector<number> living() const;
  number any_entity(int pick) const;
  number living_entity(int pick) const;
  // One of the oldest plain entities, so that the same ones are used often.
  number common_entity(int pick) const;
  // The entity of a type. Registers the type first if needed; 0 if that is not possible now.
  number type_entity(kind k);
  naive_id some_id(int first, int second);
  naive_id unusual_id(int how, int which);
  naive_id some_pattern(int first, int second);
  // Mostly an id that `e` owns.
  naive_id likely_id(number e, int first, int second);
  // An entity that owns the id, or 0.
  number holder_of(const naive_id& id, int pick) const;
  // Whether all parts of the id are alive.
  bool is_known(const naive_id& id) const;

  void say(const std::string& what);
  void bind_all(const std::vector<number>& made, kith::entity last);
  void compare_values_alive();

  // --- steps: entities (player_entities.cpp) ---
  void create();
  void create_named();
  void create_with();
  void bulk();
  void destroy();
  void make_alive();
  void clear();
  void clone();
  // --- steps: names, scopes, deferral, types (player_names.cpp) ---
  void child_of();
  void rename();
  void set_scope();
  void scoped();
  void defer_end();
  void register_type();
  void runtime_component();
  void foreign();
  // --- steps: ids and values (player_ids.cpp) ---
  void add(number e, const naive_id& id);
  void remove(number e, const naive_id& id);
  void set();
  void set_pair();
  void set_raw();
  void ensure();
  void write();
  void fail();
  void switch_id();
  void remove_all();
  void delete_with();
  void many_targets();
  void migrate();
  // --- steps: traits, bases, reach (player_relations.cpp) ---
  number trait_bearer(int pick);
  void give_trait();
  void take_trait();
  void pin();
  void is_a();
  void make_prefab();
  void order_children();
  void reach();
  // --- steps: visits, questions (player_visit.cpp, player_ask.cpp) ---
  void visit();
  void ask();

  calls how_;
  std::vector<std::unique_ptr<twin>> twins_;
  std::map<twin*, std::vector<kith::query<>>> kept_;  // queries that keep results
  twin* t_ = nullptr;                                 // the twin of the current step
  operation o_;
  std::size_t step_ = 0;
  std::vector<std::string> log_;
};

}  // namespace kith_model
