// Prints a world as facts. The order is such that `define` refuses nothing when it reads them back,
// and that no fact adds an id or makes an entity that a later line gives:
//
//   1. #257                     numbers that a new entity would take otherwise
//   2. struct Position {f32 x}  types, before anything uses them as tags
//   3. ChildOf(wheel, car)      the hierarchy; OrderedChildren before the children, in their order
//   4. PairIsTag(Likes)         traits that decide whether pairs have values, where ids are kept,
//                               and which entities may have kinds
//   5. Position(car) {1}        everything else, entity by entity
//   6. IsA(car, Vehicle)        nothing is overridden yet, no Prefab has children to make
//   7. Prefab(Vehicle)          and the traits: all data is there, and they are checked against it
//   8. OnInstantiate, With      what adds ids by itself
//
// `define` makes an entity when a line first names it. Where the facts would name entities in
// another order than that of their numbers, the printer prints the names alone first.
#include <algorithm>
#include <string>
#include <vector>

#include <kith/detail/deferral.hpp>

#include "meta/value.hpp"
#include "query/model/words.hpp"
#include "world/engine_state.hpp"

namespace kith::core {

namespace {

class facts_printer final : value_words {
 public:
  facts_printer(const engine_state& state, void (*write)(std::string_view, void*), void* context)
      : s_(state), write_(write), context_(context) {}

  void print() {
    collect();
    number_nameless();
    print_structs();
    for (entity_t e : not_final_) {
      line_ = "!";
      print_fact(e, Final);
    }
    print_hierarchy();
    print_all(early_);
    print_ordinary();
    print_all(kinds_);
    print_all(late_);
    print_all(instantiate_);
    print_all(with_);
    declare_up_to(limit);
    flush();
  }

 private:
  struct place {
    entity_t e;
    id_t id;
  };
  static constexpr std::uint32_t limit = 0xffff'ffff;

  // How an entity is named.
  struct reference {
    enum class way : std::uint8_t {
      number,  // #257
      bare,    // wheel: in this text only this one is called so
      root,    // wheel: others have the name, but none at the root
      path,    // car.wheel
    };
    way how = way::number;
    bool declared = false;  // printed, so that a reader knows it
    // Declared when the children of an ordered parent are printed, and not in the order of numbers.
    bool late = false;
    // Of a path: the entity begins as a child of this one and gets its parent later.
    entity_t cradle = 0;
    entity_t number = 0;
  };

  // --- what there is ---

  void collect() {
    hash_map<std::string_view, std::uint32_t, std::hash<std::string_view>> count;
    s_.names_.each([&](entity_t, std::string_view name) { ++count[name]; });
    s_.store().entities().each([&](entity_t e) {
      if (is_builtin(e)) return;
      all_.push_back(e);
      reference& r = references_[index_of(e)];
      const std::string_view name = s_.names_.name_of(index_of(e));
      if (name.empty()) return;
      named_.push_back(e);
      r.how = count[name] == 1                        ? reference::way::bare
              : s_.names_.parent_of(index_of(e)) == 0 ? reference::way::root
                                                      : reference::way::path;
    });
    for (entity_t e : named_) find_cradle(e);
    for (entity_t e : named_) references_[index_of(e)].late = is_late(e);
    s_.store().entities().each([&](entity_t e) {
      each_id(e, [&](id_t id) {
        switch (stage_of(e, id)) {
          case stage::early:
            return early_.push_back({e, id});
          case stage::kinds:
            return kinds_.push_back({e, id});
          case stage::late:
            return late_.push_back({e, id});
          case stage::instantiate:
            return instantiate_.push_back({e, id});
          case stage::with:
            return with_.push_back({e, id});
          default:
            return;
        }
      });
    });
  }

  // A path makes its entity as a child. If the parent is printed later, or keeps an order of its
  // children, the entity is first made in another place, its cradle: the root if no other entity
  // has its name there, else a built-in entity.
  void find_cradle(entity_t e) {
    reference& r = references_[index_of(e)];
    const std::uint32_t parent = s_.names_.parent_of(index_of(e));
    const reference* p = find(parent);
    if (r.how != reference::way::path || !p) return;
    const bool parent_is_later = p->how != reference::way::number && parent > index_of(e);
    if (!parent_is_later && !s_.graph_.child_order.is_kept(parent)) return;
    const std::string_view name = s_.names_.name_of(index_of(e));
    const bool is_free = !s_.names_.find(0, name) && !s_.names_.find(index_of(BuiltinScope), name);
    entity_t& last = last_cradle_[name];
    if (is_free && !last) {
      r.how = reference::way::bare;
      last = Any;
      return;
    }
    for (last = std::max(last, Any) + 1; last < BuiltinScope; ++last)
      if (s_.store().entities().is_alive(last) && !s_.names_.find(index_of(last), name)) {
        r.cradle = last;
        return;
      }
  }

  // Without a cradle, a child of an ordered parent is made at its place in the order, and so is
  // each entity whose path leads through it.
  bool is_late(entity_t e) const {
    for (std::uint32_t at = index_of(e);;) {
      const reference* r = find(at);
      if (!r || r->how != reference::way::path || r->cradle) return false;
      const std::uint32_t parent = s_.names_.parent_of(at);
      if (s_.graph_.child_order.is_kept(parent)) return true;
      at = parent;
    }
  }

  // Switched-off ids are not facts.
  template <class Visit>
  void each_id(entity_t e, Visit visit) const {
    const entity_record& r = s_.alive(e);
    std::vector<id_t> ids = s_.store().owned_ids(r);
    // Generations are not printed: the world that reads the text begins with first generations, and
    // pairs have none.
    std::ranges::sort(ids, {}, [](id_t id) { return is_pair(id) ? id : index_of(id); });
    for (id_t id : ids)
      if (!s_.store().is_off(r, id)) visit(id);
  }

  enum class stage { never, early, ordinary, kinds, late, instantiate, with };

  stage stage_of(entity_t e, id_t id) const {
    if (is_builtin(e) && is_born_with(e, id)) return stage::never;
    if (is_pair(id)) {
      switch (relation_of(id)) {
        case ChildOf:
          return stage::never;
        case IsA:
          return stage::kinds;
        case OnInstantiate:
          return stage::instantiate;
        case With:
          return stage::with;
        default:
          return traits::is_trait(id) ? stage::late : stage::ordinary;
      }
    }
    switch (id) {
      case Component:
      case OrderedChildren:
      // A text cannot say what the observer or the system calls.
      case Observer:
      case System:
        return stage::never;
      case Inheritable:
      case Trait:
      case PairIsTag:
      case Sparse:
      case DontFragment:
      case Fragment:
      case Union:
        return stage::early;
      case Prefab:
        return stage::late;
      case Final:
        // A struct is Final from the start.
        return is_printable(e) ? stage::never : stage::late;
      default:
        return traits::is_trait(id) ? stage::late : stage::ordinary;
    }
  }

  // --- numbers ---

  // A nameless entity is printed by its number if that keeps the order of all entities, given that
  // `define` gives the lowest free numbers to those with names. If not, the printer counts all
  // entities through and prints those numbers.
  void number_nameless() {
    if (named_.size() == all_.size()) return;
    std::uint32_t highest_named = 0;
    if (!keeps_order(highest_named)) {
      std::uint32_t next = first_user_index;
      for (entity_t e : all_) {
        reference& r = references_[index_of(e)];
        r.number = next++;
        if (r.how != reference::way::number) highest_named = index_of(r.number);
      }
    }
    for (entity_t e : all_) {
      const reference& r = *find(index_of(e));
      if (r.how == reference::way::number && index_of(r.number) < highest_named) declare(e);
    }
  }

  bool keeps_order(std::uint32_t& highest_named) {
    std::uint32_t next = first_user_index, last = 0;
    auto taken = all_.begin();
    const auto is_nameless = [&](entity_t e) {
      return find(index_of(e))->how == reference::way::number;
    };
    for (entity_t e : all_) {
      if (is_nameless(e)) {
        references_[index_of(e)].number = e;
        if (index_of(e) <= last) return false;
        last = index_of(e);
        continue;
      }
      // The next number that no nameless entity has.
      for (;; ++next) {
        while (taken != all_.end() && (!is_nameless(*taken) || index_of(*taken) < next)) ++taken;
        if (taken == all_.end() || index_of(*taken) != next) break;
      }
      if (next <= last) return false;
      last = highest_named = next++;
    }
    return true;
  }

  // --- names ---

  reference* find(std::uint32_t index) {
    auto found = references_.find(index);
    return found == references_.end() ? nullptr : &found.value();
  }
  const reference* find(std::uint32_t index) const {
    return const_cast<facts_printer*>(this)->find(index);
  }

  // Appends the name of an entity to the line.
  void name(entity_t e) const { write_name(e, line_, false); }

  void write_name(entity_t e, std::string& out, bool in_value) const {
    if (is_builtin(e)) {
      const std::string_view own = s_.names_.name_of(index_of(e));
      if (scope_of_builtin(e) == SchedulingScope)
        out += concat("kith.", s_.names_.name_of(index_of(SchedulingScope)), ".");
      else
        out += s_.names_.find(0, own) && e != BuiltinScope ? "kith." : "";
      out += written_name(own);
      return;
    }
    // From the entity up to what can be named without a path, and back.
    std::vector<entity_t> way{e};
    const auto reference_of_last = [&] { return find(index_of(way.back())); };
    while (reference_of_last() && reference_of_last()->how == reference::way::path &&
           !reference_of_last()->cradle)
      way.push_back(s_.store().entities().alive_at(s_.names_.parent_of(index_of(way.back()))));
    if (const reference* first = reference_of_last()) {
      mentioned_.push_back(way.back());
      const std::string_view own = s_.names_.name_of(index_of(way.back()));
      if (first->how == reference::way::number) {
        out += concat("#", std::to_string(first->number));
      } else if (first->cradle) {
        write_name(first->cradle, out, in_value);
        write_part(own, out);
      } else if (first->how == reference::way::root &&
                 s_.names_.find(index_of(BuiltinScope), own)) {
        out += concat("::", written_name(own));
      } else {
        // Digits would be a number.
        out += in_value && own[0] >= '0' && own[0] <= '9' ? quoted_text(own) : written_name(own);
      }
    } else {
      write_name(way.back(), out, in_value);
    }
    for (way.pop_back(); !way.empty(); way.pop_back()) {
      mentioned_.push_back(way.back());
      write_part(s_.names_.name_of(index_of(way.back())), out);
    }
  }

  static void write_part(std::string_view name, std::string& out) {
    out += '.';
    out += is_word(name) ? std::string(name) : quoted_text(name);
  }

  void write_text(std::string_view text, std::string& out) const override {
    out += quoted_text(text);
  }
  void write_entity(entity_t e, std::string& out) const override {
    if (s_.store().entities().is_alive(e))
      write_name(e, out, true);
    else
      out += '0';
  }

  // --- lines ---

  // Prints names alone for entities that are not declared, so that those the line mentions are
  // declared in the order of their numbers; then the line.
  void end_line() {
    const std::vector<entity_t> mentioned = std::move(mentioned_);
    mentioned_.clear();
    std::vector<entity_t> fresh;
    for (entity_t e : mentioned) {
      reference& r = *find(index_of(e));
      if (r.late || r.how == reference::way::number) r.declared = true;
      if (!r.declared && std::ranges::find(fresh, e) == fresh.end()) fresh.push_back(e);
    }
    if (!fresh.empty()) {
      const std::string line = std::move(line_);
      while (!are_next(fresh)) declare(named_[next_]);
      for (entity_t e : fresh) find(index_of(e))->declared = true;
      line_ = line;
    }
    print_line();
  }

  // Are these the next entities to declare, in this order, apart from those that are declared
  // already?
  bool are_next(const std::vector<entity_t>& list) {
    while (next_ < named_.size() && is_passed(named_[next_])) ++next_;
    std::size_t next = next_;
    for (entity_t e : list) {
      if (find(index_of(e))->declared) continue;
      while (next < named_.size() && is_passed(named_[next])) ++next;
      if (next == named_.size() || named_[next++] != e) return false;
    }
    return true;
  }

  void print_line() {
    line_ += '\n';
    out_ += line_;
    line_.clear();
    constexpr std::size_t piece_size = std::size_t{1} << 16;
    if (out_.size() >= piece_size) flush();
  }

  bool is_passed(entity_t e) const {
    const reference& r = *find(index_of(e));
    return r.declared || r.late;
  }

  void declare_up_to(std::uint32_t index) {
    for (; next_ < named_.size() && index_of(named_[next_]) <= index; ++next_)
      if (!is_passed(named_[next_])) declare(named_[next_]);
    if (index == limit)
      for (entity_t e : all_)
        if (!find(index_of(e))->declared) declare(e);
  }

  void declare(entity_t e) {
    line_.clear();
    mentioned_.clear();
    name(e);
    for (entity_t m : mentioned_) find(index_of(m))->declared = true;
    mentioned_.clear();
    print_line();
  }

  void flush() {
    if (!out_.empty()) write_(out_, context_);
    out_.clear();
  }

  // --- structs ---

  // Can the members be written as text, and read back?
  bool is_printable(entity_t component) const {
    if (auto known = printable_.find(component); known != printable_.end()) return known->second;
    return printable_[component] = find_printable(component);
  }

  bool find_printable(entity_t component) const {
    const struct_members* members = s_.members_.find(component);
    if (!members || is_builtin(component)) return false;
    return std::ranges::all_of(members->list(), [&](const member& m) {
      return !m.members ||
             (s_.members_.find(m.component) == m.members.get() &&
              s_.store().entities().is_alive(m.component) && is_printable(m.component));
    });
  }

  void print_structs() {
    hash_map<entity_t, bool> done;
    for (entity_t e : all_)
      if (s_.store().types().find(index_of(e)) && is_printable(e)) print_struct(e, done);
  }

  void print_struct(entity_t e, hash_map<entity_t, bool>& done) {
    if (!done.try_emplace(e, true).second) return;
    const struct_members& members = *s_.members_.find(e);
    for (const member& m : members.list())
      if (m.members) print_struct(m.component, done);
    line_ = "struct ";
    name(e);
    const char* comma = " {";
    for (const member& m : members.list()) {
      line_ += comma;
      comma = ", ";
      if (m.members)
        name(m.component);
      else
        line_ += word_of(m.kind);
      line_ += ' ';
      line_ += is_word(m.name) ? m.name : quoted_text(m.name);
    }
    line_ += '}';
    end_line();
    const entity_record& r = s_.alive(e);
    if (!s_.store().owns(r, Final) && !s_.store().owns(r, Inheritable)) not_final_.push_back(e);
  }

  // --- the hierarchy ---

  void print_hierarchy() {
    struct parent {
      entity_t e;
      std::size_t depth;
    };
    std::vector<parent> parents;
    hash_map<std::uint32_t, std::size_t> depths;
    s_.store().entities().each([&](entity_t e) {
      if (!s_.graph_.children(e).empty()) parents.push_back({e, depth_of(e, depths)});
    });
    // From the inside out: looking for cycles is short if the parent has no parent yet.
    std::ranges::stable_sort(parents, std::greater{}, &parent::depth);
    std::vector<entity_t> later;
    for (const parent& p : parents) {
      const reference* r = find(index_of(p.e));
      if (r && r->late && !r->declared)
        later.push_back(p.e);
      else
        print_children(p.e);
    }
    while (!later.empty()) {
      print_children(later.back());
      later.pop_back();
    }
  }

  std::size_t depth_of(entity_t e, hash_map<std::uint32_t, std::size_t>& known) const {
    std::vector<std::uint32_t> way;
    std::size_t depth = 0;
    for (; e; e = parent_of(s_.store(), s_.alive(e))) {
      if (auto found = known.find(index_of(e)); found != known.end()) {
        depth = found->second;
        break;
      }
      way.push_back(index_of(e));
    }
    for (; !way.empty(); way.pop_back()) known[way.back()] = ++depth;
    return depth;
  }

  void print_children(entity_t parent) {
    const auto now = s_.graph_.children(parent);
    std::vector<entity_t> children(now.begin(), now.end());
    std::erase_if(children, is_builtin);
    const entity_record& r = s_.alive(parent);
    if (s_.store().owns(r, OrderedChildren) && !s_.store().is_off(r, OrderedChildren))
      print_fact(parent, OrderedChildren);
    else
      std::ranges::sort(children, {}, index_of);
    for (entity_t child : children) {
      reference& c = *find(index_of(child));
      if (c.how != reference::way::path || c.cradle) {
        print_fact(child, make_pair(ChildOf, parent));
        c.cradle = 0;
      } else if (c.late) {
        name(child);
        end_line();
      } else if (!c.declared) {
        declare_up_to(index_of(child));
      }
    }
  }

  // --- facts ---

  void print_all(const std::vector<place>& places) {
    for (const place& p : places) print_fact(p.e, p.id);
  }

  void print_ordinary() {
    s_.store().entities().each([&](entity_t e) {
      each_id(e, [&](id_t id) {
        if (stage_of(e, id) == stage::ordinary) print_fact(e, id);
      });
      if (!is_builtin(e) && s_.store().owns(s_.alive(e), OrderedChildren) &&
          s_.graph_.children(e).empty())
        print_fact(e, OrderedChildren);
    });
  }

  void print_fact(entity_t e, id_t id) {
    const entity_t predicate = is_pair(id) ? s_.store().entities().alive_at(relation_of(id)) : id;
    name(predicate);
    line_ += '(';
    if (predicate == e)
      line_ += '$';
    else
      name(e);
    if (is_pair(id)) {
      line_ += ", ";
      name(s_.store().entities().alive_at(target_of(id)));
    }
    line_ += ')';
    print_value_of(e, id);
    end_line();
  }

  void print_value_of(entity_t e, id_t id) {
    const type_info* type = s_.store().types().type_of(id);
    if (!type || !is_printable(type->component)) return;
    const located_value found = s_.store().find_value(s_.alive(e), id);
    if (!found) return;
    line_ += ' ';
    print_value(*s_.members_.find(type->component), found.value(), *this, line_);
  }

  const engine_state& s_;
  void (*write_)(std::string_view, void*);
  void* context_;

  std::vector<entity_t> all_;    // that are not built in, in the order of their numbers
  std::vector<entity_t> named_;  // of them
  std::size_t next_ = 0;         // in named_: all before are declared, or will be later
  hash_map<std::uint32_t, reference> references_;
  std::vector<place> early_, kinds_, late_, instantiate_, with_;
  std::vector<entity_t> not_final_;
  // By name: what was the last cradle of an entity of that name.
  hash_map<std::string_view, entity_t, std::hash<std::string_view>> last_cradle_;

  mutable hash_map<entity_t, bool> printable_;
  mutable std::string line_;
  mutable std::vector<entity_t> mentioned_;  // by the line, in the order of the words
  std::string out_;
};

}  // namespace

void engine::facts(void (*write)(std::string_view piece, void* context), void* context) const {
  deferral waiting(*this);
  facts_printer(*state_, write, context).print();
  waiting.end();
}

}  // namespace kith::core
