#include <algorithm>

#include <kith/detail/query_run.hpp>

#include "world/live_query.hpp"

namespace kith::core {

// What an iteration keeps: the values of the current result, and what was asked of its fields.
struct query_run::state {
  struct field_answer {
    enum class known : std::uint8_t { no, match, view };
    known is = known::no;
    const checked_term* term = nullptr;
    matched match;
    field_view view;
    std::vector<void*> rows;
  };
  // A result that waits for its turn in an order.
  struct row {
    std::uint32_t depth;
    slot_values values;
    std::vector<std::size_t> alternatives;
  };

  state(live_query& live, const query_bindings& bindings);

  bool next();
  bool next_in_order();
  void collect();
  void forget_fields();
  std::size_t alternative_of(std::size_t field) const;
  field_answer& ask(std::size_t n);
  bool is_on_this(const field_answer& f) const;
  bool find_batches();
  void view(field_answer& f, id_t id);

  engine_state& world;
  meaning& says;
  std::shared_ptr<const checked_query> q;
  std::shared_ptr<plan> steps;
  slot_values values;
  slot_list bound;
  std::optional<plan_run> run;
  bool question = false;
  bool impossible = false;  // what the caller gave cannot be
  bool done = false;
  std::vector<field_answer> fields;
  // The one id a field can be, if it is on $this and just that; else 0.
  std::vector<id_t> plain_ids;
  std::vector<entity_t> closed_relations;  // Transitive ones that fields are pairs of
  const row_scan::block* batch = nullptr;

  bool collected = false;
  std::vector<row> rows;
  std::size_t at_row = 0;
};

query_run::state::state(live_query& live, const query_bindings& bindings)
    : world(live.state()), says(world.meaning_) {
  says.refresh();
  live.prepared.refresh();
  q = live.prepared.checked();
  values.resize(q->slots.size());
  fields.resize(q->fields.size());
  for (const auto& [number, e] : bindings) {
    if (number < 0 || static_cast<std::size_t>(number) >= q->slots.size())
      raise(errc::out_of_range, "the query has no such variable");
    world.alive(e);
    const auto slot = static_cast<slot_index>(number);
    for (slot_index s = 0; s < q->slots.size(); ++s) {
      if (s != slot && q->slots[s].same_as != slot) continue;
      values[s] = e;
      insert(bound, s);
    }
  }
  for (slot_index slot : q->parameters)
    if (!values[slot])
      raise(errc::out_of_range, "the parameter @", q->slots[slot].name, " has no value");
  for (const auto& [a, b] : q->distinct) impossible = impossible || values[a] == values[b];
  for (slot_index slot : bound)
    impossible = impossible || !is_allowed(*q, world.graph_, slot, values[slot]);
  steps = live.prepared.plan_for(bound);
  run.emplace(*q, *steps, says, values);
  question = !q->uses_this && bound.empty();
  for (slot_index slot : q->variables) question = question && !contains(q->root.positive, slot);
  if (!question && !q->ordered && q->uses_this && find_batches()) {
    std::vector<id_t> observed = plain_ids;
    std::erase(observed, 0);
    run->allow_batches(std::move(observed), closed_relations);
  }
}

// Can results that differ in $this alone have the same ids and sources?
bool query_run::state::find_batches() {
  plain_ids.assign(fields.size(), 0);
  closed_relations.clear();
  for (std::size_t n = 0; n < fields.size(); ++n) {
    const field_info& info = q->fields[n];
    if (info.terms.size() > 1) return false;
    if (info.terms.empty() || !contains(info.terms[0]->slots, this_slot)) continue;
    const checked_term& t = *info.terms[0];
    if (t.source.flagged || t.first.flagged || t.second.flagged || t.source.slot != this_slot ||
        !t.source.lookup.empty() || t.first.slot == this_slot || t.second.slot == this_slot)
      return false;
    if (t.exact) {
      // The id of a star is the same for a batch.
      if (t.star == no_slot || t.first.is != checked_ref::kind::fixed ||
          t.second.is != checked_ref::kind::star || world.graph_.bases.any())
        return false;
      continue;
    }
    const bool known = (t.first.slot == no_slot || values[t.first.slot]) &&
                       (t.second.slot == no_slot || values[t.second.slot]);
    const entity_t p = says.value_of(t.first, values);
    if (!p || says.has_kinds(p)) return false;
    if (says.traits_of(p) & trait::reflexive) return false;
    if (says.traits_of(p) & trait::transitive && t.pair) {
      if (!known || world.graph_.bases.any()) return false;
      closed_relations.push_back(p);
      continue;
    }
    if (!known) {
      // The value of a variable is the same for a batch; only bases could show it in more than one way.
      if (t.first.slot != no_slot || world.graph_.bases.any()) return false;
      continue;
    }
    const entity_t target = t.pair ? says.value_of(t.second, values) : 0;
    if (t.pair && !target) return false;
    plain_ids[n] = t.pair ? make_pair(p, target) : p;
  }
  return true;
}

void query_run::state::forget_fields() {
  for (field_answer& f : fields) f.is = field_answer::known::no;
}

bool query_run::state::next() {
  if (done || impossible) return false;
  forget_fields();
  if (q->ordered) {
    if (next_in_order()) return true;
  } else if (run->next()) {
    done = question;
    batch = run->batch();
    return true;
  }
  done = true;
  return false;
}

void query_run::state::collect() {
  while (run->next()) {
    row r;
    r.values = values;
    for (std::size_t n = 0; n < fields.size(); ++n)
      r.alternatives.push_back(run->alternative_of(static_cast<std::uint32_t>(n)));
    const entity_t e = says.value_of(q->ordered_by, values);
    // What leads into a cycle comes last either way, and after that what has no depth at all.
    constexpr std::uint32_t on_cycle = meaning::endless - 1;
    const std::uint32_t depth = e ? says.depth(e, q->order_relation) : 0;
    r.depth = !e                          ? meaning::endless
              : depth == meaning::endless ? on_cycle
              : q->descending             ? on_cycle - 1 - depth
                                          : depth;
    rows.push_back(std::move(r));
    if (question) break;
  }
  std::ranges::stable_sort(rows, {}, &row::depth);
}

bool query_run::state::next_in_order() {
  if (!std::exchange(collected, true)) collect();
  if (at_row == rows.size()) return false;
  values = rows[at_row++].values;
  return true;
}

std::size_t query_run::state::alternative_of(std::size_t field) const {
  return collected ? rows[at_row - 1].alternatives[field]
                   : run->alternative_of(static_cast<std::uint32_t>(field));
}

query_run::state::field_answer& query_run::state::ask(std::size_t n) {
  if (n >= fields.size())
    raise(errc::out_of_range, "the query has ", std::to_string(fields.size()), " fields, not ",
          std::to_string(n + 1));
  field_answer& f = fields[n];
  if (f.is != field_answer::known::no) return f;
  f.term = nullptr;
  f.match = {};
  f.is = field_answer::known::match;
  const field_info& info = q->fields[n];
  if (info.terms.empty()) return f;
  const checked_term* term = info.terms.size() == 1 ? info.terms[0] : info.terms[alternative_of(n)];
  if (!term) return f;
  for (slot_index slot : term->slots)
    if (!values[slot]) return f;
  if ((info.optional || info.terms.size() > 1) && !says.holds(*term, values)) return f;
  f.term = term;
  f.match = says.find_match(*term, values);
  return f;
}

// --- the run ---------------------------------------------------------------------------------------

query_run::query_run(query_ptr q, const query_bindings& bindings)
    : query_(std::move(q)),
      world_(&query_->world()),
      waiting_(std::make_unique<deferral>(*world_)),
      state_(std::make_unique<state>(*query_, bindings)) {}

query_run::~query_run() = default;

bool query_run::next() {
  if (!state_->next()) {
    count_ = 0;
    return false;
  }
  const row_scan::block* batch = state_->batch;
  count_ = batch ? batch->entities.size() : 1;
  entities_ = batch                  ? batch->entities.data()
              : state_->q->uses_this ? &state_->values[this_slot]
                                     : nullptr;
  return true;
}

void query_run::end() {
  state_.reset();
  if (auto waiting = std::exchange(waiting_, nullptr)) waiting->end();
}

const field_view& query_run::field(std::size_t n) {
  // The common case: a column of the table of the batch, of which nothing is switched off.
  const row_scan::block* batch = state_->batch;
  if (batch && batch->in && n < state_->plain_ids.size() && state_->plain_ids[n]) {
    state::field_answer& f = state_->fields[n];
    if (f.is == state::field_answer::known::view) return f.view;
    const column* c = batch->in->find_column(state_->plain_ids[n]);
    if (c && !c->type->boxed && !state_->world.store_.toggles_used()) {
      f.view = {c->data + batch->first.value * c->type->size, c->type->size, nullptr};
      // What the id and the source are stays to be asked; the view stays when it is.
      return f.view;
    }
  }
  state::field_answer& f = state_->ask(n);
  if (f.is == state::field_answer::known::view) return f.view;
  f.is = state::field_answer::known::view;
  f.view = {};
  f.rows.clear();
  if (f.match.id) state_->view(f, f.match.id);
  return f.view;
}

// Finds where the values of a field are.
void query_run::state::view(field_answer& f, id_t id) {
  const store& facts = world.store_;
  const located_value value = facts.find_value(world.alive(f.match.source), id);
  if (!value) return;
  f.view.data = static_cast<std::byte*>(value.value());
  if (!is_on_this(f)) return;
  f.view.stride = value.type->size;
  if (!batch || batch->entities.size() == 1) return;
  const id_record* record = facts.ids().find(id);
  const bool side_by_side = batch->in ? batch->in->find_column(id) != nullptr
                                      : batch->of && record && &record->pool == batch->of;
  if (side_by_side && !value.type->boxed) return;
  for (entity_t e : batch->entities) f.rows.push_back(facts.find_value(world.alive(e), id).value());
  f.view.rows = f.rows.data();
}

bool query_run::state::is_on_this(const field_answer& f) const {
  return f.term->source.slot == this_slot && f.term->source.lookup.empty() &&
         f.match.source == values[this_slot];
}

bool query_run::is_set(std::size_t n) { return state_->ask(n).term != nullptr; }

id_t query_run::id(std::size_t n) { return state_->ask(n).match.id; }

entity_t query_run::source(std::size_t n) {
  const state::field_answer& f = state_->ask(n);
  if (!f.term) return 0;
  return state_->is_on_this(f) ? 0 : f.match.source;
}

entity_t query_run::variable(int n) const {
  if (n < 0 || static_cast<std::size_t>(n) >= state_->values.size())
    raise(errc::out_of_range, "the query has no such variable");
  return state_->values[static_cast<std::size_t>(n)];
}

}  // namespace kith::core
