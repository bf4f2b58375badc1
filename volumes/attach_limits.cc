#include "volumes/attach_limits.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "api/csi_migration.h"
#include "volumes/holds.h"

namespace batholith {

AttachLimits::AttachLimits(VolumeFacts& facts) : facts_(facts), nodes_(facts.nodes().node_count()) {
  for (const CsiNodeRecord& csi : facts.objects().csi_nodes) {
    const std::int64_t n = facts.nodes().Find(csi.meta.name);
    if (n < 0) continue;
    for (const CsiNodeDriver& driver : csi.drivers) {
      if (!driver.count) continue;
      const auto [it, added] =
          drivers_.try_emplace(driver.name, static_cast<std::uint32_t>(drivers_.size()));
      nodes_[static_cast<std::size_t>(n)].limits.push_back({it->second, *driver.count});
    }
  }
}

std::uint32_t AttachLimits::DriverOf(std::string_view name) const {
  const auto it = drivers_.find(name);
  return it == drivers_.end() ? kNoId : it->second;
}

std::uint32_t AttachLimits::Intern(std::string key) {
  return volumes_.try_emplace(std::move(key), static_cast<std::uint32_t>(volumes_.size()))
      .first->second;
}

void AttachLimits::AddTo(std::vector<LimitedVolume>& out, std::string_view driver,
                         std::string key) {
  const std::uint32_t limited = DriverOf(driver);
  if (limited == kNoId) return;
  const LimitedVolume volume{limited, Intern(std::move(key))};
  if (!Holds(out, volume)) out.push_back(volume);
}

std::vector<LimitedVolume> AttachLimits::VolumesOf(std::span<const ClaimId> claims,
                                                   std::span<const PodDisk> disks) {
  std::vector<LimitedVolume> out;
  if (drivers_.empty()) return out;
  for (const ClaimId id : claims) {
    const PersistentVolumeClaimRecord& claim = facts_.claim(id);
    const VolumeId bound = claim.volume.empty() ? kNoId : facts_.FindVolume(claim.volume);
    if (bound != kNoId) {
      const PersistentVolumeRecord& volume = facts_.volume(bound);
      AddTo(out, volume.csi_driver, volume.csi_driver + "/" + volume.csi_handle);
    } else if (const StorageFacts* storage = facts_.StorageOf(claim)) {
      AddTo(out, CsiDriverOf(storage->record->provisioner), "\x1f" + std::to_string(id));
    }
  }
  for (const PodDisk& disk : disks) {
    if (const std::optional<CsiVolume> volume = CsiVolumeOf(disk))
      AddTo(out, volume->driver, volume->driver + "/" + volume->handle);
  }
  return out;
}

void AttachLimits::AddAttached() {
  if (drivers_.empty()) return;
  for (const VolumeAttachmentRecord& attachment : facts_.objects().volume_attachments) {
    const std::int64_t n = facts_.nodes().Find(attachment.node);
    const std::uint32_t driver = DriverOf(attachment.attacher);
    if (n < 0 || driver == kNoId) continue;
    std::string handle = attachment.handle;
    if (!attachment.volume.empty()) {
      const VolumeId volume = facts_.FindVolume(attachment.volume);
      if (volume == kNoId || facts_.volume(volume).csi_driver.empty()) continue;
      handle = facts_.volume(volume).csi_handle;
    }
    if (handle.empty()) continue;
    const LimitedVolume attached{driver, Intern(attachment.attacher + "/" + handle)};
    const Node& node = nodes_[static_cast<std::size_t>(n)];
    if (!node.users.contains(attached.volume))
      Add(static_cast<std::uint32_t>(n), std::array{attached});
  }
}

void AttachLimits::Change(std::uint32_t n, std::span<const LimitedVolume> volumes, std::int32_t all,
                          std::int32_t leaving) {
  Node& node = nodes_[n];
  for (const LimitedVolume& v : volumes) {
    const auto limit = std::ranges::find(node.limits, v.driver, &Limit::driver);
    if (limit == node.limits.end()) continue;
    Users& users = node.users[v.volume];
    const Users before = users;
    users.all += all;
    users.leaving += leaving;
    limit->used += static_cast<int>(users.all > 0) - static_cast<int>(before.all > 0);
    limit->staying +=
        static_cast<int>(users.all > users.leaving) - static_cast<int>(before.all > before.leaving);
    if (users.all == 0) node.users.erase(v.volume);
  }
}

void AttachLimits::Add(std::uint32_t node, std::span<const LimitedVolume> volumes) {
  Change(node, volumes, 1, 0);
}
void AttachLimits::Remove(std::uint32_t node, std::span<const LimitedVolume> volumes) {
  Change(node, volumes, -1, 0);
}
void AttachLimits::Leave(std::uint32_t node, std::span<const LimitedVolume> volumes) {
  Change(node, volumes, 0, 1);
}
void AttachLimits::Stay(std::uint32_t node, std::span<const LimitedVolume> volumes) {
  Change(node, volumes, 0, -1);
}

bool AttachLimits::Fits(std::uint32_t n, std::span<const LimitedVolume> volumes,
                        bool with_leaving) const {
  const Node& node = nodes_[n];
  for (const Limit& limit : node.limits) {
    std::int32_t more = 0;
    for (const LimitedVolume& v : volumes) {
      if (v.driver != limit.driver) continue;
      const auto it = node.users.find(v.volume);
      const bool there =
          it != node.users.end() && (with_leaving || it->second.all > it->second.leaving);
      more += there ? 0 : 1;
    }
    if (more > 0 && (with_leaving ? limit.used : limit.staying) + more > limit.count) return false;
  }
  return true;
}

}  // namespace batholith
