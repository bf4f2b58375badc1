#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "volumes/volume_facts.h"

namespace batholith {

// A volume of a driver of which some node attaches so many only.
struct LimitedVolume {
  std::uint32_t driver = 0;
  std::uint32_t volume = 0;
  bool operator==(const LimitedVolume&) const = default;
};

// How many volumes of a driver each node may attach, and which it has: those of the pods that stand
// there, each once, and those that are attached without a pod. One thread writes, several may read
// between.
class AttachLimits {
 public:
  explicit AttachLimits(VolumeFacts& facts);

  // Some node limits some driver.
  bool any() const { return !drivers_.empty(); }
  // Of the claims and disks; empty where no node limits their drivers. One thread.
  std::vector<LimitedVolume> VolumesOf(std::span<const ClaimId> claims,
                                       std::span<const PodDisk> disks = {});
  // Attached volumes that no pod on their node was found to use. REQUIRES: all pods were added.
  void AddAttached();

  void Add(std::uint32_t node, std::span<const LimitedVolume> volumes);
  void Remove(std::uint32_t node, std::span<const LimitedVolume> volumes);
  // A pod that stands there is leaving, or stays after all.
  void Leave(std::uint32_t node, std::span<const LimitedVolume> volumes);
  void Stay(std::uint32_t node, std::span<const LimitedVolume> volumes);
  // Whether they go there beside what is there. `with_leaving`: as long as who leaves is there.
  bool Fits(std::uint32_t node, std::span<const LimitedVolume> volumes, bool with_leaving) const;

 private:
  struct Limit {
    std::uint32_t driver = 0;
    std::int32_t count = 0;
    std::int32_t used = 0;     // distinct volumes
    std::int32_t staying = 0;  // of them, those that somebody uses who is not leaving
  };
  struct Users {
    std::int32_t all = 0;
    std::int32_t leaving = 0;
  };
  struct Node {
    std::vector<Limit> limits;
    std::unordered_map<std::uint32_t, Users> users;  // by volume
  };

  void Change(std::uint32_t node, std::span<const LimitedVolume> volumes, std::int32_t all,
              std::int32_t leaving);
  // kNoId: no node limits the driver.
  std::uint32_t DriverOf(std::string_view name) const;
  void AddTo(std::vector<LimitedVolume>& out, std::string_view driver, std::string key);
  std::uint32_t Intern(std::string key);

  VolumeFacts& facts_;
  std::unordered_map<std::string_view, std::uint32_t> drivers_;
  std::unordered_map<std::string, std::uint32_t> volumes_;
  std::vector<Node> nodes_;
};

}  // namespace batholith
