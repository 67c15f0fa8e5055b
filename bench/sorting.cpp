// Row 22: 100,000 entities in the order of a value, in one table and in 16.
#include "support/harness.hpp"
#include "support/libraries.hpp"

namespace {

using namespace bench;

struct Key {
  std::int32_t value;
};
template <int>
struct Bit {};

// A lambda has a type of its own, so calls of it are inlined; calls of a function pointer are not.
constexpr auto compare = [](std::uint64_t, const Key* a, std::uint64_t, const Key* b) {
  return (a->value > b->value) - (a->value < b->value);
};

const std::vector<std::int32_t>& keys() {
  static const std::vector<std::int32_t> list = [] {
    std::vector<std::int32_t> made(hundred_thousand);
    random_numbers random(22);
    for (auto& k : made) k = static_cast<std::int32_t>(random.below(1u << 30));
    return made;
  }();
  return list;
}

// Counts the keys that come in ascending order.
struct ascending {
  std::int32_t last = -1;
  std::size_t right = 0;
  void operator()(const Key& k) {
    right += k.value >= last;
    last = k.value;
  }
};

template <class L>
struct sorted {
  explicit sorted(bool in_16_tables) {
    w.template component<Key>();
    for (std::size_t i = 0; i < hundred_thousand; ++i) {
      auto e = w.entity().set(Key{keys()[i]});
      const std::size_t bits = in_16_tables ? i : 0;
      if (bits & 1) e.template add<Bit<0>>();
      if (bits & 2) e.template add<Bit<1>>();
      if (bits & 4) e.template add<Bit<2>>();
      if (bits & 8) e.template add<Bit<3>>();
      list.push_back(e);
    }
  }
  auto make_query() {
    return w.template query_builder<const Key>().template order_by<Key>(compare).build();
  }
  template <class Query>
  static bool scan(Query& q) {
    ascending a;
    q.each([&](const Key& k) { a(k); });
    return a.right == hundred_thousand;
  }
  typename L::world w;
  std::vector<typename L::entity> list;
};

template <class L>
struct sorted_before : sorted<L> {
  explicit sorted_before(bool in_16_tables) : sorted<L>(in_16_tables), q(this->make_query()) {
    this->scan(q);
    this->scan(q);
  }
  decltype(std::declval<sorted<L>&>().make_query()) q;
  random_numbers random{9};
};

template <class L>
void rows(bool in_16_tables) {
  const std::string who = (in_16_tables ? "_16_tables/" : "/") + L::name();
  add<sorted<L>>(
      "row22_sort_first" + who, 1,
      [](auto& f, stopwatch& clock) {
        bool right = false;
        clock.time([&] {
          auto q = f.make_query();
          right = f.scan(q);
        });
        return right;
      },
      in_16_tables);
  add<sorted_before<L>>(
      "row22_sort_unchanged" + who, 1,
      [](auto& f, stopwatch& clock) {
        bool right = false;
        clock.time([&] { right = f.scan(f.q); });
        return right;
      },
      in_16_tables);
  add<sorted_before<L>>(
      "row22_sort_after_one_set" + who, 1,
      [](auto& f, stopwatch& clock) {
        const auto value = static_cast<std::int32_t>(f.random.below(1u << 30));
        f.list[f.random.below(f.list.size())].set(Key{value});
        bool right = false;
        clock.time([&] { right = f.scan(f.q); });
        return right;
      },
      in_16_tables);
}

// std::sort on an array of keys and owners; then on a permutation of the keys.
void by_std_sort() {
  struct owned {
    std::int32_t value;
    std::uint32_t owner;
  };
  add("row22_sort_first/hand", 1, [](stopwatch& clock) {
    ascending a;
    clock.time([&] {
      std::vector<owned> all;
      all.reserve(keys().size());
      for (std::uint32_t i = 0; i < keys().size(); ++i) all.push_back({keys()[i], i});
      std::sort(all.begin(), all.end(), [](const owned& x, const owned& y) {
        return x.value < y.value || (x.value == y.value && x.owner < y.owner);
      });
      for (const owned& o : all) a({o.value});
    });
    return a.right == hundred_thousand;
  });
  struct permutation {
    std::vector<Key> values;
    std::vector<std::uint32_t> order;
    permutation() {
      for (std::uint32_t i = 0; i < keys().size(); ++i) {
        values.push_back({keys()[i]});
        order.push_back(i);
      }
      std::sort(order.begin(), order.end(), [&](auto x, auto y) { return keys()[x] < keys()[y]; });
    }
  };
  for (const char* name : {"row22_sort_unchanged/hand", "row22_sort_unchanged_16_tables/hand"})
    add<permutation>(name, 1, [](permutation& p, stopwatch& clock) {
      ascending a;
      clock.time([&] {
        for (const auto i : p.order) a(p.values[i]);
      });
      return a.right == hundred_thousand;
    });
}

}  // namespace

void bench::register_rows() {
  for_each_library([]<class L>() {
    rows<L>(false);
    rows<L>(true);
  });
  by_std_sort();
}
