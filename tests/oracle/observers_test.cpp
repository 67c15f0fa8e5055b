// Observers of random queries live in a world that changes step by step. After each step the rows
// that they were told of are compared with the difference of two evaluations.
//
//   KITH_ORACLE_STEPS=100000   how many steps (6,000 if not given, 400 under a sanitizer)
//   KITH_ORACLE_SEED=7         another seed
#include <memory>
#include <set>

#include <gtest/gtest.h>

#include "oracle/closed_shortcuts.hpp"
#include "oracle/comparison.hpp"
#include "oracle/query_writer.hpp"
#include "oracle/wanted.hpp"
#include "world/engine_state.hpp"
#include "world/live_query.hpp"

namespace kith_oracle {

namespace {

#ifdef KITH_SANITIZED
constexpr std::size_t default_steps = 400;
#else
constexpr std::size_t default_steps = 6'000;
#endif
constexpr std::size_t steps_per_world = 60;
constexpr std::size_t queries_per_world = 12;
constexpr std::size_t most_rows = 200;

// Where each field of a row comes from.
struct shown_field {
  kith::id_t id = 0;
  kith::entity_t source = 0;
  friend bool operator==(const shown_field&, const shown_field&) = default;
};
using row_values = std::vector<kith::id_t>;  // of all slots: what makes a row this one
using shown_rows = std::map<row_values, std::vector<shown_field>>;

// What an observer listens to: observers that hear of nothing that goes are told in another way.
enum class listening { to_all, to_what_comes, as_monitor };

class observed_query {
 public:
  observed_query(kith::world& world, std::string written, listening to)
      : text_(std::move(written)), listening_(to), world_(world), asked_(world.filter(text_)) {
    kith::query_desc desc;
    desc.expr = text_;
    const auto q = kith::core::make_query(world.engine(), desc);
    const kith::core::checked_query& checked = *q->prepared.checked();
    slots_ = checked.slots.size();
    for (const kith::core::field_info& f : checked.fields)
      shows_value_.push_back(f.access != kith::core::term::access::none &&
                             f.access != kith::core::term::access::filter);
    auto made = world.observer<>().expr(text_);
    if (to == listening::as_monitor)
      made.event(kith::Monitor);
    else
      made.event(kith::OnAdd).event(kith::OnSet);
    if (to == listening::to_all) made.event(kith::OnRemove);
    observer_ = made.run([this](kith::iter& it) { hear(it); });
    // The observer is an entity, which may be a row.
    now_ = before_ = rows();
    for (const auto& [row, fields] : now_) there_.insert(row[0]);
  }

  kith::entity observer() const { return observer_; }
  const std::string& text() const { return text_; }
  std::string& problem() { return problem_; }
  listening listens() const { return listening_; }

  // Called after a step. `is_one`: the step is one change.
  void check(bool is_one) {
    const shown_rows after = rows();
    if (listening_ == listening::as_monitor) return check_monitor(after);
    if (listening_ == listening::to_what_comes) {
      if (problem_.empty() && is_one)
        for (const row_values& r : came_)
          if (before_.contains(r)) problem_ = "OnAdd of a row that was there";
      for (const auto& [row, fields] : after)
        if (problem_.empty() && is_one && !before_.contains(row) && !came_.contains(row))
          problem_ = "OnAdd is missing";
      now_ = after;
    }
    if (problem_.empty() && keys(after) != keys(now_)) problem_ = "rows were not told of";
    if (problem_.empty() && is_one)
      for (const row_values& r : came_)
        if (went_.contains(r)) problem_ = "a row came and went in one change";
    // Of the proofs of a yes/no question any may be shown.
    if (problem_.empty() && is_one && !is_question())
      for (const auto& [row, fields] : after) {
        const auto old = before_.find(row);
        const bool other = old != before_.end() && shows_other(old->second, fields);
        if (other && !set_.contains(row)) problem_ = "OnSet is missing for another id or source";
      }
    now_ = before_ = after;
    came_.clear();
    went_.clear();
    set_.clear();
  }

 private:
  void check_monitor(const shown_rows& after) {
    std::set<kith::id_t> there;
    for (const auto& [row, fields] : after) there.insert(row[0]);
    for (kith::id_t e : went_this_) there_.erase(e);
    there_.insert(came_this_.begin(), came_this_.end());
    if (problem_.empty() && there != there_) problem_ = "a Monitor was not told of an entity";
    there_ = std::move(there);
    came_this_.clear();
    went_this_.clear();
  }

  void hear_as_monitor(kith::entity event, const shown_rows& told) {
    for (const auto& [row, fields] : told) {
      const kith::id_t e = row[0];
      const bool comes = event == kith::OnAdd;
      const bool is_there =
          (there_.contains(e) && !went_this_.contains(e)) || came_this_.contains(e);
      if (comes == is_there) note("a Monitor is told twice of an entity");
      if (comes) {
        went_this_.erase(e) ? there_.insert(e) : came_this_.insert(e);
      } else {
        if (!came_this_.erase(e)) went_this_.insert(e);
      }
    }
  }

  static std::set<row_values> keys(const shown_rows& rows) {
    std::set<row_values> all;
    for (const auto& [row, fields] : rows) all.insert(row);
    return all;
  }

  // It may begin or cease to be one when a trait comes or goes.
  bool is_question() const { return asked_.is_question(); }

  // Does a field with a value come from elsewhere, or is it set now and was not?
  bool shows_other(const std::vector<shown_field>& old, const std::vector<shown_field>& fields) {
    kith::core::engine& engine = world_.engine();
    for (std::size_t n = 0; n < fields.size(); ++n)
      if (shows_value_[n] && fields[n].id && fields[n] != old[n] && engine.type_of(fields[n].id))
        return true;
    return false;
  }

  void read(kith::iter& it, std::size_t row, shown_rows& into) const {
    row_values values(slots_);
    if (!is_question()) {
      for (std::size_t s = 0; s < slots_; ++s) values[s] = it.run().variable(static_cast<int>(s));
      const kith::entity self = it.entity(row);
      values[0] = self ? self.id() : 0;
    }
    std::vector<shown_field> fields;
    for (std::size_t f = 0; f < it.field_count(); ++f)
      fields.push_back({it.id(f).raw_id(), it.src(f) ? it.src(f).id() : 0});
    into.emplace(std::move(values), std::move(fields));
  }

  shown_rows rows() const {
    shown_rows all;
    asked_.run([&](kith::iter& it) {
      while (it.next())
        for (auto i : it) read(it, i, all);
    });
    return all;
  }

  void hear(kith::iter& it) {
    const kith::entity event = it.event();
    const shown_rows at_this_time = rows();
    shown_rows told;
    while (it.next())
      for (auto i : it) read(it, i, told);
    for (const auto& [row, fields] : told) {
      const auto there = at_this_time.find(row);
      if (there == at_this_time.end())
        note(event == kith::OnRemove ? "a row that goes is gone already"
                                     : "a told row is not there");
      else if (there->second != fields && !is_question())
        note("a told row shows other fields than the world");
      if (listening_ == listening::as_monitor) continue;
      if (event == kith::OnAdd && listening_ == listening::to_what_comes) {
        came_.insert(row);
        now_.emplace(row, fields);
      } else if (event == kith::OnAdd) {
        if (!now_.emplace(row, fields).second) note("OnAdd of a row that was there");
        came_.insert(row);
      } else if (event == kith::OnRemove) {
        if (!now_.erase(row)) note("OnRemove of a row that was not there");
        went_.insert(row);
      } else {
        if (!now_.contains(row)) note("OnSet of a row that is not there");
        set_.insert(row);
      }
    }
    if (told.empty()) note("an event without rows");
    if (listening_ == listening::as_monitor) hear_as_monitor(event, told);
  }

  void note(const char* what) {
    if (problem_.empty()) problem_ = what;
  }

  std::string text_;
  listening listening_;
  std::set<kith::id_t> there_, came_this_, went_this_;  // $this of rows, for a Monitor
  kith::world& world_;
  kith::query<> asked_;
  std::size_t slots_ = 0;
  std::vector<bool> shows_value_;  // by field
  shown_rows before_, now_;
  std::set<row_values> came_, went_, set_;
  std::string problem_;
  kith::entity observer_;
};

// How some steps are played.
enum class playing { one_by_one, deferred, as_one_change };

struct observed_text {
  std::string text;
  listening to;
};

// Plays the steps. Returns the number of the first one after which an observer is wrong, or npos.
std::size_t first_failure(const script& made, const std::vector<observed_text>& texts,
                          const script& steps, playing how, const kith::core::shortcuts& open,
                          std::string& problem) {
  // The end of the world is told too.
  std::vector<std::unique_ptr<observed_query>> queries;
  scripted_world world(made, open);
  for (const observed_text& t : texts)
    queries.push_back(std::make_unique<observed_query>(world.world(), t.text, t.to));
  const auto fails = [&](bool is_one) {
    for (const auto& q : queries) {
      q->check(is_one);
      if (q->problem().empty()) continue;
      problem = q->text() + "\nis told wrongly: " + q->problem();
      return true;
    }
    return false;
  };
  for (std::size_t at = 0; at < steps.size(); ++at) {
    // Making an entity, giving it a name and adding an id to it are changes of their own.
    const step& s = steps[at];
    for (const std::string& name : {s.subject, s.first, s.second})
      if (!name.empty()) world.play({{step::kind::make, name, "", ""}});
    if (fails(false)) return at;
    if (how == playing::one_by_one) {
      world.play({s});
      const bool is_one = s.is != step::kind::component && s.is != step::kind::make;
      if (fails(is_one)) return at;
      continue;
    }
    // Several steps together; entities that they name may have to be made, too.
    constexpr std::size_t together = 4;
    const script some(
        steps.begin() + static_cast<std::ptrdiff_t>(at),
        steps.begin() + static_cast<std::ptrdiff_t>(std::min(steps.size(), at + together)));
    const auto play = [&] { world.play(some); };
    try {
      how == playing::deferred ? world.world().defer(play) : world.world().change(play);
    } catch (const kith::error&) {
      // Some of the steps were refused.
    }
    at += some.size() - 1;
    if (fails(how == playing::as_one_change)) return at;
  }
  return script::size_type(-1);
}

void shrink(script& made, const observed_text& text, script& steps, playing how,
            const kith::core::shortcuts& open) {
  for (script* list : {&steps, &made})
    for (std::size_t i = list->size(); i-- > 0;) {
      const step taken = (*list)[i];
      list->erase(list->begin() + static_cast<std::ptrdiff_t>(i));
      std::string problem;
      bool still = false;
      try {
        still = first_failure(made, {text}, steps, how, open, problem) != std::size_t(-1);
      } catch (const kith::error&) {
      }
      if (!still) list->insert(list->begin() + static_cast<std::ptrdiff_t>(i), taken);
    }
}

}  // namespace

TEST(observers, are_told_the_difference_of_two_evaluations) {
  const std::size_t worlds = wanted("KITH_ORACLE_STEPS", default_steps) / steps_per_world;
  for (std::size_t i = 0; i < worlds; ++i) {
    const std::uint64_t seed = wanted("KITH_ORACLE_SEED", 55'000) + i;
    const closed_shortcuts without(seed);
    SCOPED_TRACE(without.text());
    dice random(seed);
    const script made = random_script(random);
    const auto how = static_cast<playing>(random.below(3));
    std::vector<observed_text> texts;
    script steps;
    {
      scripted_world world(made);
      std::vector<kith::query<>> asked;
      for (std::size_t q = 0; q < queries_per_world; ++q) {
        const random_query made_up = random_query_about(world, random);
        if (!made_up.with.empty()) continue;
        texts.push_back(
            {written(with_paths(made_up.text, world)), static_cast<listening>(random.below(3))});
        asked.push_back(world.world().filter(texts.back().text));
      }
      std::vector<std::size_t> rows;
      for (const kith::query<>& q : asked) rows.push_back(q.count());
      while (steps.size() < steps_per_world) {
        const script more = random_changes(world, random);
        world.play(more);
        steps.insert(steps.end(), more.begin(), more.end());
      }
      // Each step evaluates all queries several times.
      for (std::size_t q = texts.size(); q-- > 0;)
        if (rows[q] > most_rows || asked[q].count() > most_rows)
          texts.erase(texts.begin() + static_cast<std::ptrdiff_t>(q));
    }
    std::string problem;
    if (first_failure(made, texts, steps, how, without.open(), problem) == std::size_t(-1))
      continue;
    const std::string text = problem.substr(0, problem.find("\nis told wrongly"));
    const auto wrong = std::ranges::find(texts, text, &observed_text::text);
    script less = made, fewer = steps;
    shrink(less, *wrong, fewer, how, without.open());
    FAIL() << "seed " << seed << (how == playing::one_by_one ? "" : ", several at once") << "\n"
           << to_text(less) << "\n-- then --\n"
           << to_text(fewer) << "\n"
           << problem;
  }
}

}  // namespace kith_oracle
