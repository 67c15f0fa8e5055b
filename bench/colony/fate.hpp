// What happens in the colony, decided by random numbers that are the same everywhere, and counted
// by hand.
#pragma once

#include <algorithm>
#include <set>

#include "colony.hpp"
#include "support/data.hpp"

namespace colony {

// Decides what happens. It knows the state of the colony as far as its decisions and checks need.
class fate {
 public:
  fate(const sizes& size, std::uint64_t seed) : random_(seed) {
    plan_.size = size;
    for (std::size_t n = 0; n < size.houses(); ++n)
      plan_.district_of_house.push_back(below(size.districts()));
    for (std::size_t n = 0; n < size.households(); ++n)
      plan_.district_of_household.push_back(below(size.districts()));
    for (std::size_t n = 0; n < size.towns; ++n)
      plan_.tax_of_town.push_back(static_cast<std::int64_t>(10 + n));
    plan_.allies_of_guild.resize(size.guilds);
    is_allied_.assign(size.guilds * size.guilds, false);
    for (number guild = 0; guild < size.guilds; ++guild)
      if (const number ally = below(size.guilds); ally != guild && !is_allied(guild, ally)) {
        plan_.allies_of_guild[guild].push_back(ally);
        is_allied_[guild * size.guilds + ally] = is_allied_[ally * size.guilds + guild] = true;
      }
    for (std::size_t n = 0; n < size.employers(); ++n) plan_.employers.push_back(new_employer());
    for (std::size_t n = 0; n < size.agents; ++n) plan_.agents.push_back(new_agent());
  }

  const world_plan& plan() const { return plan_; }

  // Different agents, of which a later call of the same tick may name some again.
  std::vector<number> choose_agents(std::size_t count) {
    std::set<number> chosen;
    while (chosen.size() < count) chosen.insert(below(plan_.size.agents));
    return {chosen.begin(), chosen.end()};
  }
  std::vector<birth> replace(const std::vector<number>& dead) {
    std::vector<birth> births;
    for (const number agent : dead) {
      births.push_back({agent, new_agent()});
      plan_.agents[agent] = births.back().plan;
    }
    return births;
  }
  std::vector<new_job> new_jobs(std::size_t count) {
    std::vector<new_job> jobs;
    for (const number agent : choose_agents(count)) {
      jobs.push_back({agent, below(plan_.size.employers()), new_wage()});
      plan_.agents[agent].employer = jobs.back().employer;
      plan_.agents[agent].wage = jobs.back().wage;
    }
    return jobs;
  }
  std::vector<new_home> new_homes(std::size_t count) {
    std::vector<new_home> homes;
    for (const number agent : choose_agents(count)) {
      homes.push_back({agent, below(plan_.size.houses())});
      plan_.agents[agent].home = homes.back().home;
    }
    return homes;
  }
  std::vector<errand> errands(std::size_t count) {
    std::vector<errand> list;
    for (const number agent : choose_agents(count))
      list.push_back({agent, below(plan_.size.goods), below(plan_.size.towns)});
    return list;
  }

  // What the phases must answer, counted by hand.
  std::size_t points() const {
    return count_points([](std::size_t n) { return n; });
  }
  // The agents that got a point or were born.
  std::size_t changed(const std::vector<birth>& births) const {
    std::size_t n = count_points([](std::size_t points) { return points ? 1 : 0; });
    for (const birth& b : births) n += points_of(plan_.agents[b.agent]) == 0;
    return n;
  }
  std::size_t commuters() const {
    std::size_t n = 0;
    for (const agent_plan& a : plan_.agents)
      n += plan_.district_of_house[a.home] / 10 == plan_.employers[a.employer].town;
    return n;
  }
  std::size_t vacant() const {
    std::vector<bool> taken(plan_.size.households());
    for (const agent_plan& a : plan_.agents) taken[a.household] = true;
    return static_cast<std::size_t>(std::count(taken.begin(), taken.end(), false));
  }

 private:
  number below(std::size_t n) { return static_cast<number>(random_.below(n)); }
  std::int64_t new_wage() { return 100 + below(900); }
  bool is_allied(number a, number b) const { return is_allied_[a * plan_.size.guilds + b]; }

  // Different numbers.
  std::vector<number> some(std::size_t count, std::size_t limit) {
    std::vector<number> list;
    while (list.size() < count)
      if (const number n = below(limit); std::find(list.begin(), list.end(), n) == list.end())
        list.push_back(n);
    return list;
  }
  employer_plan new_employer() {
    employer_plan employer{below(plan_.size.towns), below(plan_.size.guilds), {}};
    for (const number good : some(5, plan_.size.goods))
      employer.offers.push_back({good, 5 + below(20)});
    return employer;
  }
  agent_plan new_agent() {
    return {below(plan_.size.households()), below(plan_.size.houses()),
            below(plan_.size.employers()), new_wage(), some(below(3), plan_.size.guilds)};
  }

  std::size_t points_of(const agent_plan& agent) const {
    const number guild = plan_.employers[agent.employer].guild;
    std::size_t n = 0;
    for (const number own : agent.guilds) n += is_allied(own, guild);
    return n;
  }
  template <class Function>
  std::size_t count_points(Function value) const {
    std::size_t n = 0;
    for (const agent_plan& agent : plan_.agents) n += value(points_of(agent));
    return n;
  }

  bench::random_numbers random_;
  world_plan plan_;
  std::vector<bool> is_allied_;
};

}  // namespace colony
