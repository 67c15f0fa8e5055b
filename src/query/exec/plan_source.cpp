#include "query/exec/plan_source.hpp"

#include <algorithm>
#include <utility>

namespace kith::core {

void plan_source::begin(const slot_list& bound) {
  plan_ = it_.several_readers ? prepared_.make_plan(bound) : prepared_.plan_for(bound);
  begin_again();
  if (it_.is_question || it_.query->ordered || !it_.query->uses_this ||
      !it_.says->shortcuts().batches || !find_alike())
    return;
  std::vector<id_t> observed = plain_ids_;
  std::erase(observed, 0);
  run_->allow_batches(std::move(observed), closed_relations_);
}

void plan_source::begin_again() {
  run_ = std::make_unique<plan_run>(*it_.query, *plan_, *it_.says, it_.values);
  block_ = nullptr;
  done_ = false;
  plain_ids_.clear();
}

void plan_source::end() {
  run_.reset();
  plan_.reset();
  block_ = nullptr;
}

bool plan_source::next(batch& b) {
  if (done_ || !run_->next()) {
    done_ = true;
    return false;
  }
  done_ = it_.is_question;
  block_ = run_->batch();
  b.count = block_ ? block_->entities.size() : 1;
  b.entities = block_                 ? block_->entities.data()
               : it_.query->uses_this ? &it_.values[this_slot]
                                      : nullptr;
  return true;
}

// --- batches -------------------------------------------------------------------------------------

// Can results that differ in $this alone have the same ids and sources in all fields?
bool plan_source::find_alike() {
  const checked_query& q = *it_.query;
  plain_ids_.assign(q.fields.size(), 0);
  closed_relations_.clear();
  std::vector<const item*> shown;  // by field, once one is asked for
  for (std::size_t n = 0; n < q.fields.size(); ++n) {
    const auto& terms = q.fields[n].terms;
    if (terms.size() > 1) return false;
    if (terms.empty() || !contains(terms[0]->slots, this_slot)) continue;
    if (!is_alike(n, *terms[0], shown)) return false;
  }
  return true;
}

bool plan_source::is_alike(std::size_t n, const checked_term& t, std::vector<const item*>& shown) {
  const term_shape& shape = t.shape;
  const bool inherited = it_.world.inherit.any();
  if (shape.on != term_shape::place::this_ || shape.about_source) return false;
  // The id of a star is the same for a batch.
  if (shape.is == term_shape::kind::star) return !inherited;
  if (!shape.is_present_ids() && shape.is != term_shape::kind::closure) return false;
  const auto is_known = [&](const checked_ref& r) {
    return r.slot == no_slot || it_.values[r.slot];
  };
  const bool known = is_known(t.first) && is_known(t.second);
  const entity_t p = it_.says->value_of(t.first, it_.values);
  if (!p || it_.says->has_kinds(p)) return false;
  const std::uint32_t traits = it_.says->traits_of(p);
  if (traits & trait::reflexive) return false;
  if (traits & trait::transitive && t.pair) {
    closed_relations_.push_back(p);
    return known && !inherited && !it_.store.was_toggled(index_of(p));
  }
  if (!known) {
    // The value of a variable is the same for a batch; only bases could show it in more than one
    // way.
    if (t.first.slot != no_slot || inherited) return false;
    // An optional term that does not give the value itself holds for some rows and not for others.
    if (!it_.query->fields[n].optional) return true;
    if (shown.empty()) {
      shown.resize(it_.query->fields.size());
      for (const item& i : it_.query->root.items)
        if (i.field != ~0u) shown[i.field] = &i;
    }
    return contains(shown[n]->introduces, t.second.slot);
  }
  const entity_t target = t.pair ? it_.says->value_of(t.second, it_.values) : 0;
  if (t.pair && !target) return false;
  plain_ids_[n] = t.pair ? make_pair(p, target) : p;
  return true;
}

// --- fields --------------------------------------------------------------------------------------

result_field plan_source::find_field(std::size_t n) {
  const field_info& info = it_.query->fields[n];
  if (info.terms.size() < 2) return result_source::find_field(n);
  const checked_term* term = info.terms[run_->alternative_of(static_cast<std::uint32_t>(n))];
  return term ? field_of(info, *term) : result_field();
}

bool plan_source::find_view(std::size_t n, field_view& out) {
  // The common case: a column of the table, of which nothing is switched off.
  const id_t plain = n < plain_ids_.size() ? plain_ids_[n] : 0;
  if (plain && block_ && block_->in && !it_.store.toggles_used()) {
    const located_value first = values_of(it_.store, *block_, plain);
    if (first && !first.type->boxed) {
      out = {static_cast<std::byte*>(first.slot), first.type->size};
      return false;
    }
  }
  return result_source::find_view(n, out);
}

bool plan_source::side_by_side(id_t id) const {
  return static_cast<bool>(values_of(it_.store, *block_, id));
}

void plan_source::note_writes(std::size_t n) {
  const auto [term, id, source, in] = field(n);
  const located_value first =
      id && !source && block_ ? values_of(it_.store, *block_, id) : located_value();
  if (!first) return result_source::note_writes(n);
  it_.store.note_writes(*first.writes, id);
  it_.store.value_logs().mark(id, it_.now.rows());
}

}  // namespace kith::core
