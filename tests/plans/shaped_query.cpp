#include "plans/shaped_query.hpp"

namespace kith_plans {

namespace {

class writer {
 public:
  writer(const skewed_world& world, kith_oracle::dice& random) : w_(world), random_(random) {}

  std::string write(std::size_t terms) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < terms; ++i) all.push_back(term(i == 0));
    random_.shuffle(all);
    std::string text;
    for (const std::string& one : all) text += (text.empty() ? "" : ", ") + one;
    return text;
  }

 private:
  static constexpr std::size_t most_variables = 5;

  std::string old_variable() { return random_.one_of(variables_); }
  std::string new_variable() {
    if (variables_.size() == most_variables) return old_variable();
    variables_.push_back("$" + std::string(1, static_cast<char>('a' + variables_.size())));
    return variables_.back();
  }
  std::string any_relation() {
    const std::size_t which = random_.below(10);
    if (which < 4) return random_.one_of(w_.attributes);
    return which < 9 ? random_.one_of(w_.links) : w_.tree;
  }
  static std::string pair(const std::string& relation, const std::string& source,
                          const std::string& target) {
    return relation + "(" + source + ", " + target + ")";
  }
  std::string tag(const std::string& source) {
    return random_.one_of(w_.tags) + "(" + source + ")";
  }

  // A pair between a variable that occurs and another one, in either direction.
  std::string link() {
    const std::string here = old_variable();
    const std::string there = random_.chance(25) ? old_variable() : new_variable();
    const std::string relation = any_relation();
    return random_.chance(60) ? pair(relation, here, there) : pair(relation, there, here);
  }
  std::string constant() {
    const std::string here = old_variable();
    switch (random_.below(4)) {
      case 0:
        return pair(w_.tree, here, random_.one_of(w_.nodes));
      case 1:
        return pair(random_.one_of(w_.links), here, random_.one_of(w_.things));
      default: {
        const std::string& value = random_.one_of(w_.values);
        return pair("A" + value.substr(1, value.find('_') - 1), here, value);
      }
    }
  }
  std::string condition() { return random_.chance(60) ? tag(old_variable()) : constant(); }

  std::string term(bool first) {
    if (first) {
      variables_.push_back("$this");
      return random_.chance(50) ? tag("$this") : link();
    }
    const std::size_t which = random_.below(100);
    if (which < 48) return link();
    if (which < 62) return tag(old_variable());
    if (which < 72) return constant();
    if (which < 78) return "!" + condition();
    if (which < 82)
      return "!{" + pair(random_.one_of(w_.links), old_variable(), "$inner") + ", " +
             tag("$inner") + "}";
    if (which < 85) return "?" + pair(random_.one_of(w_.attributes), old_variable(), "$maybe");
    if (which < 89) {
      const std::string here = old_variable(), there = new_variable();
      return pair(random_.one_of(w_.links), here, there) + " || " +
             pair(random_.one_of(w_.links), here, there);
    }
    if (which < 92) return condition() + " || " + condition();
    if (which < 95) return old_variable() + " != " + old_variable();
    if (which < 97) return tag(old_variable() + "[up(" + w_.tree + ")]");
    if (which < 99) return pair(random_.one_of(w_.attributes), old_variable(), "*");
    return pair(any_relation(), old_variable(), "_");
  }

  const skewed_world& w_;
  kith_oracle::dice& random_;
  std::vector<std::string> variables_;
};

}  // namespace

std::string shaped_query(const skewed_world& world, kith_oracle::dice& random, std::size_t terms) {
  return writer(world, random).write(terms);
}

}  // namespace kith_plans
