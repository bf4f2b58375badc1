#include "codec/schema/types.h"

namespace batholith {

// As kKubernetesTypes, of the kinds of resource.k8s.io, in all of its versions.
const std::string_view kDeviceTypes = R"(
kind resource.k8s.io/DeviceClass DeviceClass
kind resource.k8s.io/ResourceClaim ResourceClaim
kind resource.k8s.io/ResourceClaimTemplate ResourceClaimTemplate
kind resource.k8s.io/ResourceSlice ResourceSlice
AllocatedDeviceStatus: conditions>Condition data device driver networkData>NetworkDeviceData pool
  shareID
AllocationResult: allocationTimestamp controller devices>DeviceAllocationResult
  nodeSelector>NodeSelector
BasicDevice: allNodes allowMultipleAllocations attributes>>DeviceAttribute
  bindingConditions bindingFailureConditions bindsToNode capacity>>DeviceCapacity
  consumesCounters>DeviceCounterConsumption nodeName nodeSelector>NodeSelector taints>DeviceTaint
CELDeviceSelector: expression
CapacityRequestPolicy: default validRange>CapacityRequestPolicyRange validValues
CapacityRequestPolicyRange: max min step
CapacityRequirements: requests
Counter: value
CounterSet: counters>>Counter name
Device: allNodes allowMultipleAllocations attributes>>DeviceAttribute basic>BasicDevice
  bindingConditions bindingFailureConditions bindsToNode capacity>>DeviceCapacity
  consumesCounters>DeviceCounterConsumption name nodeAllocatableResourceMappings nodeName
  nodeSelector>NodeSelector taints>DeviceTaint
DeviceAllocationConfiguration: opaque>OpaqueDeviceConfiguration requests source
DeviceAllocationResult: config>DeviceAllocationConfiguration
  results>DeviceRequestAllocationResult
DeviceAttribute: bool bools int ints string strings version versions
DeviceCapacity: requestPolicy>CapacityRequestPolicy value
DeviceClaim: config>DeviceClaimConfiguration constraints>DeviceConstraint requests>DeviceRequest
DeviceClaimConfiguration: opaque>OpaqueDeviceConfiguration requests
DeviceClass: apiVersion kind metadata>ObjectMeta spec>DeviceClassSpec
DeviceClassConfiguration: opaque>OpaqueDeviceConfiguration
DeviceClassSpec: config>DeviceClassConfiguration extendedResourceName selectors>DeviceSelector
  suitableNodes>NodeSelector
DeviceConstraint: distinctAttribute matchAttribute requests
DeviceCounterConsumption: counterSet counters>>Counter
DeviceRequest: adminAccess allocationMode capacity>CapacityRequirements count deviceClassName
  exactly>ExactDeviceRequest firstAvailable>DeviceSubRequest name selectors>DeviceSelector
  tolerations>DeviceToleration
DeviceRequestAllocationResult: adminAccess bindingConditions bindingFailureConditions
  consumedCapacity device driver pool request shareID tolerations>DeviceToleration
DeviceSelector: cel>CELDeviceSelector
DeviceSubRequest: allocationMode capacity>CapacityRequirements count deviceClassName name
  selectors>DeviceSelector tolerations>DeviceToleration
DeviceTaint: effect key timeAdded value
DeviceToleration: effect key operator tolerationSeconds value
ExactDeviceRequest: adminAccess allocationMode capacity>CapacityRequirements count
  deviceClassName selectors>DeviceSelector tolerations>DeviceToleration
NetworkDeviceData: hardwareAddress interfaceName ips
OpaqueDeviceConfiguration: driver parameters
ResourceClaim: apiVersion kind metadata>ObjectMeta spec>ResourceClaimSpec
  status>ResourceClaimStatus
ResourceClaimConsumerReference: apiGroup name resource uid
ResourceClaimSpec: controller devices>DeviceClaim
ResourceClaimStatus: allocation>AllocationResult deallocationRequested
  devices>AllocatedDeviceStatus reservedFor>ResourceClaimConsumerReference
ResourceClaimTemplate: apiVersion kind metadata>ObjectMeta spec>ResourceClaimTemplateSpec
ResourceClaimTemplateSpec: metadata>ObjectMeta spec>ResourceClaimSpec
ResourcePool: generation name resourceSliceCount
ResourceSlice: apiVersion kind metadata>ObjectMeta spec>ResourceSliceSpec
ResourceSliceSpec: allNodes devices>Device driver nodeName nodeSelector>NodeSelector
  perDeviceNodeSelection pool>ResourcePool sharedCounters>CounterSet
)";

}  // namespace batholith
