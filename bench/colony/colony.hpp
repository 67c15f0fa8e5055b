// A colony of agents, as a program with many relations would keep it: what is decided by the
// driver, and what a library has to do for it. `driver.cpp` has the story.
//
// The driver knows agents, homes and so on by their numbers, from 0, and decides by random numbers
// what happens. A library keeps the colony and carries decisions out. All amounts are whole
// numbers, so that every library must come to the same sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace colony {

using number = std::uint32_t;

struct sizes {
  std::size_t agents = 100'000;
  std::size_t towns = 25, guilds = 50, goods = 200;  // the same for colonies of any size
  std::size_t districts() const { return towns * 10; }
  std::size_t houses() const { return agents / 5 + 1; }
  std::size_t households() const { return agents / 4 + 1; }
  std::size_t employers() const { return agents / 50 + 1; }
  std::size_t changes() const { return agents / 100; }  // births, deaths, errands in one tick
};

struct agent_plan {
  number household, home, employer;
  std::int64_t wage;
  std::vector<number> guilds;
};

struct offer {
  number good;
  std::int64_t price;
};

struct employer_plan {
  number town, guild;
  std::vector<offer> offers;
};

struct world_plan {
  sizes size;
  std::vector<number> district_of_house, district_of_household;  // district d is in town d / 10
  std::vector<std::int64_t> tax_of_town;                         // per thousand
  std::vector<employer_plan> employers;
  std::vector<std::vector<number>> allies_of_guild;  // each alliance once
  std::vector<agent_plan> agents;
};

struct birth {
  number agent;
  agent_plan plan;
};
struct new_job {
  number agent, employer;
  std::int64_t wage;
};
struct new_home {
  number agent, home;
};
// An agent buys a good where it is cheapest in a town.
struct errand {
  number agent, good, town;
};

struct money {
  std::int64_t agents = 0, employers = 0, treasury = 0;
  std::int64_t sum() const { return agents + employers + treasury; }
};

// One library. Every function is one phase of a tick.
class simulation {
 public:
  virtual ~simulation() = default;

  virtual void kill(std::span<const number> agents) = 0;  // their money goes to the treasury
  virtual void give_birth(std::span<const birth> births) = 0;
  virtual void change_jobs(std::span<const new_job> jobs) = 0;
  virtual void move_homes(std::span<const new_home> homes) = 0;
  virtual void age() = 0;
  virtual void pay_wages() = 0;     // each employer pays each of its agents
  virtual void drift_prices() = 0;  // each price changes by -1, 0 or 1 and stays above 0
  virtual std::int64_t shop(std::span<const errand> errands) = 0;  // what was spent
  virtual void collect_taxes() = 0;  // by the rate of the town of the household
  // A point of fame for each guild of an agent and alliance of this guild with the guild of its
  // employer. Returns how many points.
  virtual std::size_t reward_allies() = 0;
  virtual std::size_t count_commuters() = 0;  // agents that live in the town of their employer
  virtual std::size_t count_vacant() = 0;     // households without an agent
  virtual std::int64_t leaderboard() = 0;     // the fame of the hundred most famous, added up
  virtual std::size_t send_changes() = 0;     // agents whose fame changed since the last call

  // Not measured.
  virtual std::size_t population() = 0;
  virtual money count_money() = 0;
  // How the library answers the questions, if it can tell.
  virtual std::string plans() { return {}; }
};

std::unique_ptr<simulation> make_kith_colony(const world_plan& plan);
#ifdef KITH_BENCH_FLECS
std::unique_ptr<simulation> make_flecs_colony(const world_plan& plan);
#endif

}  // namespace colony
