#include "query/plan/order.hpp"

#include <algorithm>
#include <queue>

#include "query/plan/piece.hpp"
#include "query/plan/slot_sets.hpp"

namespace kith::core {

namespace {

// Opening a list costs about as much as looking at one of its values. Rows that are scanned side by
// side cost less.
constexpr double opening = 1;
constexpr double row_in_scan = 0.25;
// The targets of a source lie side by side. The sources of a target do not, so going through them
// costs a little more.
constexpr double sources_apart = 1.15;
// Results that come as blocks of rows of tables cost next to nothing each.
constexpr double row_in_block = 1.0 / 16;
// A Not is asked for each combination, and refuses some.
constexpr double asking = 2;
constexpr double passes_not = 0.7;

// It pays to ask whether a value has any row of a later term if fewer than this have one.
constexpr double pays_to_filter = 0.5;

// With more variables the sets of them are too many to go through.
constexpr std::size_t exact_slots = 10;
// Each set is compared with each piece.
constexpr std::size_t exact_work = std::size_t{1} << 17;
using slot_set = std::uint32_t;  // of variables, by their places in `slots_`

// A piece, with the places of its variables in `slots_`.
struct placed_piece {
  piece what;
  unsigned all = 0;  // the set of all its places
  struct place {
    std::size_t slot;
    // The piece that gives the domain of the variable; this one if `leads`.
    const placed_piece* leader = nullptr;
    bool leads = true;
    // Of the values that the leader gives, the share that this piece lets through, and how much
    // longer than average its lists for them are.
    double share = 1;
    double skew = 1;
  };
  std::vector<place> places;
};

// What can come next: the variable `slot`, or those of a chain.
struct move {
  std::size_t slot = 0;
  const open_chain* chain = nullptr;
  std::vector<std::size_t> gives;
  const placed_piece* piece = nullptr;  // of the chain
};

class search {
 public:
  search(const order_question& asked, const estimates& counts, statistics& samples)
      : asked_(asked), counts_(counts) {
    collect(samples);
    find_domains();
    collect_moves();
  }

  slot_order find() {
    if (slots_.empty()) return {};
    const bool is_small = slots_.size() <= exact_slots &&
                          (pieces_.size() + nots_.size()) << slots_.size() <= exact_work;
    if (is_small && !counts_.at_random()) return compare_all();
    slot_order found = one_by_one();
    found.rough = !is_small;
    if (found.rough) note_question(found);
    return found;
  }

 private:
  void collect(statistics& samples);
  void find_domains();
  void collect_moves();
  void note_question(slot_order& order) const;
  std::size_t place_of(slot_index slot) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(slots_, slot) - slots_.begin());
  }

  // `known(piece)`: the set of its places whose variables have values.
  template <class Known>
  double density(const placed_piece& p, unsigned places, Known known) const;
  template <class Known>
  double combinations_of(Known known, auto has) const;
  template <class Known>
  double growth(std::size_t slot, Known known) const;
  template <class Known>
  double tried(const move& m, Known known) const;
  template <class Known>
  double list(const placed_piece& p, std::size_t place, Known known) const;
  template <class Known>
  std::vector<named_values> lists(std::size_t slot, Known known) const;
  template <class Known>
  void add_lists(order_choice& c, const move& m, Known known) const;
  double cost_of_nots(slot_set before, slot_set after, double rows) const;
  bool scans_tables(std::size_t slot) const;
  bool gives_blocks() const;

  class gradual;
  slot_order compare_all() const;
  slot_order one_by_one() const;
  order_choice choice(const move& m) const {
    return {m.chain ? no_slot : slots_[m.slot], m.chain ? m.chain->what : nullptr, 0, 0, 0};
  }

  const order_question& asked_;
  const estimates& counts_;
  std::vector<slot_index> slots_;
  std::vector<placed_piece> pieces_;
  std::vector<std::vector<std::pair<const placed_piece*, std::size_t>>> uses_;  // by slot, place
  std::vector<slot_set> nots_;
  std::vector<double> domain_;  // by slot
  std::vector<move> moves_;
};

// --- what there is -------------------------------------------------------------------------------

void search::collect(statistics& samples) {
  slot_list all;
  pieces_.reserve(asked_.terms.size() + asked_.chains.size());
  for (const item* i : asked_.terms) {
    pieces_.push_back({piece(asked_.query, i->term, asked_.bound, counts_, samples), 0, {}});
    const slot_list& open = pieces_.back().what.open();
    all.insert(all.end(), open.begin(), open.end());
  }
  for (const open_chain& c : asked_.chains) {
    pieces_.push_back({piece(asked_.query, *c.what, asked_.bound, counts_, samples), 0, {}});
    const slot_list open = without(c.what->positive, asked_.bound);
    all.insert(all.end(), open.begin(), open.end());
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  slots_ = all;
  uses_.resize(slots_.size());
  for (placed_piece& p : pieces_) {
    p.all = (1u << p.what.open().size()) - 1;
    for (std::size_t i = 0; i < p.what.open().size(); ++i) {
      p.places.push_back({place_of(p.what.open()[i])});
      uses_[p.places[i].slot].emplace_back(&p, i);
    }
  }
  if (slots_.size() > exact_slots) return;
  for (const item* i : asked_.nots) {
    slot_set set = 0;
    for (slot_index slot : i->slots)
      if (contains(all, slot)) set |= 1u << place_of(slot);
    if (set) nots_.push_back(set);
  }
}

// The leader of a variable is the piece with the shortest list for it.
void search::find_domains() {
  domain_.assign(slots_.size(), counts_.everything());
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    const placed_piece* leader = nullptr;
    for (const auto& [p, i] : uses_[s])
      if (const double of_this =
              p->what.term() ? p->what.list(i, 0) : p->what.combinations(1u << i);
          of_this >= 0 && (!leader || of_this < domain_[s])) {
        leader = p;
        domain_[s] = of_this;
      }
    for (const auto& [used, i] : uses_[s]) {
      auto* p = const_cast<placed_piece*>(used);
      placed_piece::place& here = p->places[i];
      here.share = p->what.share();
      if (!leader || leader == p) continue;
      here.leader = leader;
      here.leads = false;
      if (counts_.at_random()) continue;
      const piece::meeting m = p->what.meet(leader->what, slots_[s]);
      if (m.share < 0) continue;
      here.share = std::min(1.0, m.share);
      if (m.rows < 0) continue;
      const double average = p->what.combinations(p->all) / p->what.combinations(1u << i);
      here.skew = m.rows / std::max(1e-9, m.share * average);
    }
  }
}

void search::collect_moves() {
  for (std::size_t s = 0; s < slots_.size(); ++s)
    if (!uses_[s].empty()) moves_.push_back({s, nullptr, {s}, nullptr});
  const placed_piece* of_chain = pieces_.data() + asked_.terms.size();
  for (const open_chain& c : asked_.chains) {
    move m{0, &c, {}, of_chain++};
    for (slot_index slot : without(c.what->positive, asked_.bound))
      m.gives.push_back(place_of(slot));
    moves_.push_back(std::move(m));
  }
}

// Notes what an order is about, so that it is known when it is no answer any more.
void search::note_question(slot_order& order) const {
  for (const item* i : asked_.terms) order.terms.insert(i->term.number);
  for (const order_choice& c : order.steps) {
    if (!c.chain) {
      order.gives.insert(c.slot);
      continue;
    }
    order.chains.push_back(c.chain);
    for (slot_index slot : without(c.chain->positive, asked_.bound)) order.gives.insert(slot);
  }
  std::ranges::sort(order.chains);
}

// --- what is expected ----------------------------------------------------------------------------

// The share of the combinations of domains that a piece lets through, if variables at `places` have
// values.
template <class Known>
double search::density(const placed_piece& p, unsigned places, Known known) const {
  if (!places) return 1;
  double share = p.what.combinations(places);
  for (std::size_t i = 0; i < p.places.size(); ++i) {
    if (!(places & 1u << i)) continue;
    const placed_piece::place& here = p.places[i];
    share *= here.share / std::max(1e-9, p.what.combinations(1u << i));
    if (places == p.all && p.places.size() > 1 && !here.leads &&
        known(*here.leader) == here.leader->all)
      share *= here.skew;
  }
  return share;
}

// By how much the combinations grow with a variable. A rough one: it leaves out what it means for
// other pieces that a leader is complete.
template <class Known>
double search::growth(std::size_t slot, Known known) const {
  double more = domain_[slot];
  for (const auto& [p, i] : uses_[slot]) {
    const unsigned before = known(*p);
    if (before & 1u << i) continue;
    more *= density(*p, before | 1u << i, known) / std::max(1e-12, density(*p, before, known));
  }
  return more;
}

// How many values a piece names for a variable at one of its places, for one combination;
// negative: it names none.
template <class Known>
double search::list(const placed_piece& p, std::size_t place, Known known) const {
  const unsigned before = known(p);
  double rows = p.what.list(place, before);
  if (rows < 0) return rows;
  for (std::size_t k = 0; k < p.places.size(); ++k)
    if (const placed_piece::place& from = p.places[k];
        before & 1u << k && !from.leads && known(*from.leader) == from.leader->all)
      rows *= from.skew * from.share;
  if (before && p.what.term()->source.is_slot(p.what.open()[place])) rows *= sources_apart;
  return rows;
}

// The terms that name values of a variable, with how many for one combination, the fewest first.
template <class Known>
std::vector<named_values> search::lists(std::size_t slot, Known known) const {
  std::vector<named_values> all;
  for (const auto& [p, i] : uses_[slot])
    if (const double rows = list(*p, i, known); rows >= 0) all.push_back({p->what.term(), rows});
  std::ranges::stable_sort(all, {}, &named_values::rows);
  return all;
}

// How many values are looked at for one combination; negative: nothing names them yet.
template <class Known>
double search::tried(const move& m, Known known) const {
  if (m.chain) {
    const unsigned before = known(*m.piece);
    const double rows = m.piece->what.combinations(m.piece->all) /
                        std::max(1e-9, m.piece->what.combinations(before));
    return before ? rows : std::max(rows, m.chain->rows);
  }
  double fewest = -1;
  for (const auto& [p, i] : uses_[m.slot])
    if (const double rows = list(*p, i, known); rows >= 0 && (fewest < 0 || rows < fewest))
      fewest = rows;
  if (fewest >= 0) return fewest;
  return contains(asked_.open_to_all, slots_[m.slot]) ? counts_.everything() : -1;
}

// Adds what names the values of a variable, and what few of them pass.
template <class Known>
void search::add_lists(order_choice& c, const move& m, Known known) const {
  if (m.chain) return;
  c.from = lists(m.slot, known);
  if (c.from.empty()) return;
  const placed_piece* first = nullptr;
  for (const auto& [p, i] : uses_[m.slot])
    if (!first && p->what.term() == c.from[0].term) first = p;
  for (const auto& [p, i] : uses_[m.slot]) {
    const bool is_complete = (known(*p) | 1u << i) == p->all;
    if (is_complete || p == first || !p->what.term()) continue;
    const piece::meeting met = p->what.meet(first->what, slots_[m.slot]);
    if (met.share >= 0 && met.share < pays_to_filter) c.filters.push_back(p->what.term());
  }
}

double search::cost_of_nots(slot_set before, slot_set after, double rows) const {
  double cost = 0;
  for (slot_set n : nots_)
    if ((n & ~after) == 0 && n & ~before) cost += asking * rows;
  return cost;
}

// Do tables decide which rows of a variable fit, once the others have values? Then it is given
// whole runs of rows.
bool search::scans_tables(std::size_t slot) const {
  const slot_index s = slots_[slot];
  if (s != this_slot && !asked_.query.slots[s].is_source) return false;
  return !uses_[slot].empty() && std::ranges::all_of(uses_[slot], [&](const auto& use) {
    return use.first->what.is_decided_by_tables(s);
  });
}

// If $this gets its value last, are runs of rows results?
bool search::gives_blocks() const {
  if (!asked_.is_all || !contains(slots_, this_slot) || !scans_tables(place_of(this_slot)))
    return false;
  const auto is_one_id = [](const item& i) {
    return i.bodies.size() == 1 && i.bodies[0].items.size() == 1 &&
           i.bodies[0].items[0].is == item::kind::term &&
           i.bodies[0].items[0].term.shape.is_present_ids();
  };
  return std::ranges::all_of(
      asked_.nots, [&](const item* i) { return !contains(i->slots, this_slot) || is_one_id(*i); });
}

// --- orders --------------------------------------------------------------------------------------

slot_order search::compare_all() const {
  const std::size_t sets = std::size_t{1} << slots_.size();
  const auto set_of = [](const move& m) {
    slot_set set = 0;
    for (std::size_t s : m.gives) set |= 1u << s;
    return set;
  };
  const auto known_in = [](slot_set have) {
    return [have](const placed_piece& p) {
      unsigned known = 0;
      for (std::size_t i = 0; i < p.places.size(); ++i)
        known |= (have >> p.places[i].slot & 1u) << i;
      return known;
    };
  };
  const slot_set blocks = gives_blocks() ? 1u << place_of(this_slot) : 0;
  std::vector<bool> scans;
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) scans.push_back(scans_tables(slot));
  std::vector<double> rows(sets, 1), rest(sets, -1);
  for (slot_set have = 0; have < sets; ++have) {
    const auto known = known_in(have);
    for (std::size_t s = 0; s < slots_.size(); ++s)
      if (have & 1u << s) rows[have] *= domain_[s];
    for (const placed_piece& p : pieces_) rows[have] *= density(p, known(p), known);
    for (slot_set n : nots_)
      if (!(n & ~have)) rows[have] *= passes_not;
  }
  struct step {
    double tried = -1, cost = -1;
  };
  const auto take = [&](const move& m, slot_set have) {
    step s;
    const slot_set after = have | set_of(m);
    if (after == have || rest[after] < 0) return s;
    const auto known = known_in(have);
    s.tried = tried(m, known);
    if (s.tried < 0) return s;
    s.tried *= rows[have];
    if (after + 1 == sets && set_of(m) == blocks) {
      s.cost = rows[have] * opening + s.tried * row_in_block;
      return s;
    }
    const double row = !m.chain && scans[m.slot] ? row_in_scan : 1;
    s.cost = rows[have] * opening + s.tried * row + rows[after] +
             cost_of_nots(have, after, rows[after]) + rest[after];
    return s;
  };
  // A set from which not everything can be reached counts as an end of its own: what is left waits
  // for other parts of the query.
  std::vector<const move*> next(sets, nullptr);
  for (std::size_t n = sets; n-- > 0;) {
    const auto have = static_cast<slot_set>(n);
    for (const move& m : moves_)
      if (const step s = take(m, have); s.cost >= 0 && (rest[have] < 0 || s.cost < rest[have])) {
        rest[have] = s.cost;
        next[have] = &m;
      }
    if (rest[have] < 0) rest[have] = 0;
  }
  slot_order found;
  for (slot_set have = 0; next[have]; have |= set_of(*next[have])) {
    const step s = take(*next[have], have);
    order_choice c = choice(*next[have]);
    c.tried = s.tried;
    c.rows = rows[have | set_of(*next[have])];
    c.cost = rest[have];
    add_lists(c, *next[have], known_in(have));
    found.steps.push_back(c);
  }
  for (const move& m : moves_)
    if (const step s = take(m, 0); s.cost >= 0 && &m != next[0]) {
      order_choice c = choice(m);
      c.tried = s.tried;
      c.rows = rows[set_of(m)];
      c.cost = s.cost;
      found.others.push_back(c);
    }
  std::ranges::stable_sort(found.others, {}, &order_choice::cost);
  return found;
}

// Chooses the cheapest next variable again and again. Only what shares a piece with the last one is
// looked at anew.
class search::gradual {
  struct known_places {
    const gradual& of;
    unsigned operator()(const placed_piece& p) const {
      return of.known_of_[static_cast<std::size_t>(&p - of.s_.pieces_.data())];
    }
  };

 public:
  explicit gradual(const search& s)
      : s_(s),
        known_of_(s.pieces_.size(), 0),
        has_(s.slots_.size(), false),
        moves_of_(s.slots_.size()),
        growth_of_(s.slots_.size(), unknown),
        changes_(s.slots_.size(), 0),
        version_(s.moves_.size(), 0),
        listed_(s.moves_.size(), false) {
    for (std::size_t n = 0; n < s_.moves_.size(); ++n) {
      for (std::size_t slot : s_.moves_[n].gives) moves_of_[slot].push_back(n);
      look_at(n);
    }
  }

  slot_order find() {
    slot_order found;
    double rows = 1;
    while (!open_.empty()) {
      const entry best = open_.top();
      open_.pop();
      if (best.version != version_[best.move]) continue;
      const move& m = s_.moves_[best.move];
      order_choice c = s_.choice(m);
      c.tried = rows * best.tried;
      s_.add_lists(c, m, known());
      c.rows = rows *= std::max(best.growth, 1e-9);
      found.steps.push_back(c);
      take(m);
    }
    return found;
  }

 private:
  struct entry {
    double score;
    std::size_t move;
    std::uint32_t version;
    double tried, growth;
    bool operator<(const entry& e) const {
      return score != e.score ? score > e.score : move > e.move;
    }
  };
  static constexpr double unknown = -1;

  known_places known() const { return {*this}; }

  // Finds out what a move costs now.
  void look_at(std::size_t n) {
    const move& m = s_.moves_[n];
    ++version_[n];
    listed_[n] = false;
    if (std::ranges::all_of(m.gives, [&](std::size_t slot) { return has_[slot]; })) return;
    const double looked_at = s_.tried(m, known());
    if (looked_at < 0) return;
    double grows = 1;
    for (std::size_t slot : m.gives) {
      if (growth_of_[slot] < 0) growth_of_[slot] = s_.growth(slot, known());
      grows *= growth_of_[slot];
    }
    const double score = s_.counts_.at_random()
                             ? s_.counts_.dice(m.chain ? m.chain->what->field : s_.slots_[m.slot])
                             : looked_at + 2 * grows;
    open_.push({score, n, version_[n], looked_at, grows});
    listed_[n] = true;
  }

  // Takes note that the variables of a move have values.
  void take(const move& m) {
    std::vector<std::size_t> neighbours, chains;
    for (std::size_t slot : m.gives) {
      if (has_[slot]) continue;
      has_[slot] = true;
      growth_of_[slot] = unknown;
      for (const auto& [p, i] : s_.uses_[slot]) {
        known_of_[static_cast<std::size_t>(p - s_.pieces_.data())] |= 1u << i;
        for (const placed_piece::place& other : p->places)
          if (!has_[other.slot]) neighbours.push_back(other.slot);
      }
      for (std::size_t n : moves_of_[slot]) {
        ++version_[n];
        if (s_.moves_[n].chain) chains.push_back(n);
      }
    }
    std::ranges::sort(neighbours);
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    for (std::size_t slot : neighbours) look_around(slot);
    for (std::size_t n : chains) look_at(n);
  }

  // A piece of the variable has changed. Where very many pieces share it, it is looked at again
  // when enough of them have.
  void look_around(std::size_t slot) {
    constexpr std::size_t part = 16;
    const bool is_due = ++changes_[slot] * part > s_.uses_[slot].size();
    if (is_due) {
      growth_of_[slot] = unknown;
      changes_[slot] = 0;
    }
    for (std::size_t n : moves_of_[slot])
      if (is_due || (!s_.moves_[n].chain && !listed_[n])) look_at(n);
  }

  const search& s_;
  std::vector<unsigned> known_of_;  // by piece: the set of its places whose variables have values
  // By variable: whether it has a value, the moves that give it one, by how much it lets the
  // combinations grow, and how many of its pieces have changed since that was found.
  std::vector<bool> has_;
  std::vector<std::vector<std::size_t>> moves_of_;
  std::vector<double> growth_of_;
  std::vector<std::size_t> changes_;
  // By move: which of its entries is true, and whether it has one.
  std::vector<std::uint32_t> version_;
  std::vector<bool> listed_;
  std::priority_queue<entry> open_;
};

slot_order search::one_by_one() const { return gradual(*this).find(); }

}  // namespace

slot_order find_order(const order_question& question, const estimates& counts,
                      statistics& samples) {
  // A chain that gives no values is a test, though variables of a Not in it have none.
  for (const open_chain& c : question.chains)
    if (all_in(c.what->positive, question.bound))
      return {{{no_slot, c.what, c.rows, 1, c.rows}}, {}, false, {}, {}};
  return search(question, counts, samples).find();
}

}  // namespace kith::core
