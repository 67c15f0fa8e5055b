// The colony as a user of flecs would write it who has tuned it; kith_colony.cpp is its twin.
// Agents have a Parent and not a pair of ChildOf, and WorksFor and MemberOf are DontFragment: with
// a table for each household the leaderboard of 5,000 agents takes 57 ms, and a tick of 100,000 did
// not end in minutes. A home is a component with a handle: with 20,000 pairs of a DontFragment
// relation a death takes a millisecond.
#ifdef KITH_BENCH_FLECS
#include <algorithm>

#include "colony.hpp"
#include "support/libraries.hpp"

namespace {

struct Agent {};
struct Household {};
struct Age {
  std::int64_t ticks;
};
struct Money {
  std::int64_t cents;
};
struct Fame {
  std::int64_t points;
};
struct TaxRate {
  std::int64_t per_thousand;
};
struct Serial {
  std::int64_t number;
};
struct Home {
  flecs::entity house;
};
struct MemberOf {};
struct Charter {};
struct Based {};
struct AlliedWith {};
struct WorksFor {
  std::int64_t wage;
};
struct Sells {
  std::int64_t price;
};

}  // namespace

namespace colony {
namespace {

class flecs_colony final : public simulation {
 public:
  explicit flecs_colony(const world_plan& plan) {
    world_.component<WorksFor>().add(flecs::Exclusive).add(flecs::DontFragment);
    world_.component<MemberOf>().add(flecs::DontFragment);
    world_.component<AlliedWith>().add(flecs::Symmetric);
    build_places(plan);
    build_trade(plan);
    for (const agent_plan& agent : plan.agents) agents_.push_back(make_agent(agent));
    make_queries();
  }

  void kill(std::span<const number> agents) override {
    for (const number n : agents) {
      treasury_ += agents_[n].get<Money>().cents;
      agents_[n].destruct();
    }
  }

  void give_birth(std::span<const birth> births) override {
    for (const birth& b : births) agents_[b.agent] = make_agent(b.plan);
  }

  void change_jobs(std::span<const new_job> jobs) override {
    for (const new_job& job : jobs)
      agents_[job.agent].set<WorksFor>(employers_[job.employer], {job.wage});
  }

  void move_homes(std::span<const new_home> homes) override {
    for (const new_home& home : homes) agents_[home.agent].set(Home{houses_[home.home]});
  }

  void age() override {
    aging_.each([](Age& age) { ++age.ticks; });
  }

  void pay_wages() override {
    wages_.each([](flecs::iter& it, std::size_t row, Money& money) {
      const std::int64_t wage = it.field_at<const WorksFor>(1, row).wage;
      money.cents += wage;
      it.field<Money>(2)[0].cents -= wage;
    });
  }

  void drift_prices() override {
    ++day_;
    prices_.each([&](flecs::iter& it, std::size_t row, const Serial& seller) {
      std::int64_t& price = it.field_at<Sells>(1, row).price;
      price = std::max<std::int64_t>(1, price + (seller.number + day_) % 3 - 1);
    });
  }

  std::int64_t shop(std::span<const errand> errands) override {
    std::int64_t spent = 0;
    for (const errand& e : errands) {
      const flecs::entity good = goods_[e.good];
      flecs::entity cheapest;
      std::int64_t least = 0;
      sellers_.set_var("good", good)
          .set_var("town", towns_[e.town])
          .each([&](flecs::entity seller) {
            const std::int64_t price = seller.get<Sells>(good).price;
            if (cheapest && price >= least) return;
            cheapest = seller;
            least = price;
          });
      if (!cheapest) continue;
      agents_[e.agent].get_mut<Money>().cents -= least;
      treasury_ += least;
      spent += least;
    }
    return spent;
  }

  void collect_taxes() override {
    taxes_.each([&](Money& money, const TaxRate& rate) {
      const std::int64_t tax = money.cents * rate.per_thousand / 1000;
      money.cents -= tax;
      treasury_ += tax;
    });
  }

  std::size_t reward_allies() override {
    std::size_t points = 0;
    allies_.each([&](Fame& fame) {
      ++fame.points;
      ++points;
    });
    return points;
  }

  // By hand. A query with Home as a relation misses most rows from 12,000 agents on.
  std::size_t count_commuters() override {
    std::size_t n = 0;
    living_.each([&](flecs::entity agent, const Home& home) {
      n += agent.target<WorksFor>().has<Based>(home.house.parent().parent());
    });
    return n;
  }

  // Negated terms do not know such hierarchies.
  std::size_t count_vacant() override {
    std::size_t n = 0;
    for (const flecs::entity household : households_)
      n += ecs_get_ordered_children(world_, household).count == 0;
    return n;
  }

  std::int64_t leaderboard() override {
    std::int64_t sum = 0;
    int rank = 0;
    board_.run([&](flecs::iter& it) {
      while (it.next()) {
        const auto fame = it.field<const Fame>(0);
        for (const auto row : it)
          if (rank++ < 100) sum += fame[row].points;
        if (rank < 100) continue;
        it.fini();
        break;
      }
    });
    return sum;
  }

  // flecs knows the tables that changed, not the rows.
  std::size_t send_changes() override {
    std::size_t sent = 0;
    changes_.run([&](flecs::iter& it) {
      while (it.next())
        if (it.changed()) sent += it.count();
    });
    return sent;
  }

  std::size_t population() override { return static_cast<std::size_t>(world_.count<Agent>()); }

  money count_money() override {
    money all{.treasury = treasury_};
    for (const flecs::entity agent : agents_) all.agents += agent.get<Money>().cents;
    for (const flecs::entity employer : employers_) all.employers += employer.get<Money>().cents;
    return all;
  }

 private:
  void build_places(const world_plan& plan) {
    const flecs::entity colony = world_.entity();
    for (std::size_t n = 0; n < plan.size.towns; ++n)
      towns_.push_back(world_.entity().child_of(colony).set(TaxRate{plan.tax_of_town[n]}));
    std::vector<flecs::entity> districts;
    for (std::size_t n = 0; n < plan.size.districts(); ++n)
      districts.push_back(world_.entity().child_of(towns_[n / 10]));
    for (const number district : plan.district_of_house)
      houses_.push_back(world_.entity().child_of(districts[district]));
    for (const number district : plan.district_of_household)
      households_.push_back(world_.entity()
                                .child_of(districts[district])
                                .add<Household>()
                                .add(flecs::OrderedChildren));
  }

  void build_trade(const world_plan& plan) {
    for (std::size_t n = 0; n < plan.size.guilds; ++n) guilds_.push_back(world_.entity());
    for (std::size_t n = 0; n < plan.size.guilds; ++n)
      for (const number ally : plan.allies_of_guild[n]) guilds_[n].add<AlliedWith>(guilds_[ally]);
    for (std::size_t n = 0; n < plan.size.goods; ++n) goods_.push_back(world_.entity());
    for (const employer_plan& employer : plan.employers) {
      const flecs::entity e = world_.entity()
                                  .set(Serial{static_cast<std::int64_t>(employers_.size())})
                                  .set(Money{0})
                                  .add<Based>(towns_[employer.town])
                                  .add<Charter>(guilds_[employer.guild]);
      for (const offer& o : employer.offers) e.set<Sells>(goods_[o.good], {o.price});
      employers_.push_back(e);
    }
  }

  flecs::entity make_agent(const agent_plan& plan) {
    const flecs::entity agent = world_.entity(flecs::Parent{households_[plan.household]}, nullptr)
                                    .add<Agent>()
                                    .set(Age{0})
                                    .set(Money{0})
                                    .set(Fame{0})
                                    .set(Home{houses_[plan.home]})
                                    .set<WorksFor>(employers_[plan.employer], {plan.wage});
    for (const number guild : plan.guilds) agent.add<MemberOf>(guilds_[guild]);
    return agent;
  }

  void make_queries() {
    aging_ = world_.query<Age>();
    wages_ =
        world_.query_builder<Money>().with<WorksFor>("$e").with<Money>().src("$e").inout().build();
    prices_ = world_.query_builder<const Serial>().with<Sells>(flecs::Wildcard).inout().build();
    sellers_ = world_.query_builder().with<Sells>("$good").with<Based>("$town").build();
    taxes_ = world_.query_builder<Money, const TaxRate>().term_at(1).up().cached().build();
    allies_ = world_.query_builder<Fame>()
                  .with<WorksFor>("$e")
                  .with<Charter>("$h")
                  .src("$e")
                  .with<MemberOf>("$g")
                  .with<AlliedWith>("$h")
                  .src("$g")
                  .build();
    living_ = world_.query<const Home>();
    board_ = world_.query_builder<const Fame>()
                 .order_by<Fame>(
                     [](flecs::entity_t, const Fame* a, flecs::entity_t, const Fame* b) -> int {
                       return (a->points < b->points) - (a->points > b->points);
                     })
                 .build();
    changes_ = world_.query_builder<const Fame>().detect_changes().cached().build();
  }

  flecs::world world_;
  std::vector<flecs::entity> agents_, towns_, houses_, households_, guilds_, goods_, employers_;
  flecs::query<Age> aging_;
  flecs::query<Money> wages_;
  flecs::query<const Serial> prices_;
  flecs::query<> sellers_;
  flecs::query<const Home> living_;
  flecs::query<Money, const TaxRate> taxes_;
  flecs::query<Fame> allies_;
  flecs::query<const Fame> board_, changes_;
  std::int64_t treasury_ = 0, day_ = 0;
};

}  // namespace

std::unique_ptr<simulation> make_flecs_colony(const world_plan& plan) {
  return std::make_unique<flecs_colony>(plan);
}

}  // namespace colony
#endif
