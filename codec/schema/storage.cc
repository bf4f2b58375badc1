#include "codec/schema/types.h"

namespace batholith {

// As kKubernetesTypes, of the kinds that volumes come from.
const std::string_view kStorageTypes = R"(
kind /PersistentVolume PersistentVolume
kind /PersistentVolumeClaim PersistentVolumeClaim
kind storage.k8s.io/StorageClass StorageClass
kind storage.k8s.io/CSINode CSINode
kind storage.k8s.io/CSIDriver CSIDriver
kind storage.k8s.io/CSIStorageCapacity CSIStorageCapacity
kind storage.k8s.io/VolumeAttachment VolumeAttachment
AzureFilePersistentVolumeSource: readOnly secretName secretNamespace shareName
CSIDriver: apiVersion kind metadata>ObjectMeta spec>CSIDriverSpec
CSIDriverSpec: attachRequired fsGroupPolicy nodeAllocatableUpdatePeriodSeconds podInfoOnMount
  preventPodSchedulingIfMissing requiresRepublish seLinuxMount serviceAccountTokenInSecrets
  storageCapacity tokenRequests>TokenRequest volumeLifecycleModes
CSINode: apiVersion kind metadata>ObjectMeta spec>CSINodeSpec
CSINodeDriver: allocatable>VolumeNodeResources name nodeID topologyKeys
CSINodeSpec: drivers>CSINodeDriver
CSIPersistentVolumeSource: controllerExpandSecretRef>SecretReference
  controllerPublishSecretRef>SecretReference driver fsType nodeExpandSecretRef>SecretReference
  nodePublishSecretRef>SecretReference nodeStageSecretRef>SecretReference readOnly
  volumeAttributes volumeHandle
CSIStorageCapacity: apiVersion capacity kind maximumVolumeSize metadata>ObjectMeta
  nodeTopology>LabelSelector storageClassName
CephFSPersistentVolumeSource: monitors path readOnly secretFile secretRef>SecretReference user
CinderPersistentVolumeSource: fsType readOnly secretRef>SecretReference volumeID
FlexPersistentVolumeSource: driver fsType options readOnly secretRef>SecretReference
GlusterfsPersistentVolumeSource: endpoints endpointsNamespace path readOnly
ISCSIPersistentVolumeSource: chapAuthDiscovery chapAuthSession fsType initiatorName iqn
  iscsiInterface lun portals readOnly secretRef>SecretReference targetPortal
LocalVolumeSource: fsType path
PersistentVolume: apiVersion kind metadata>ObjectMeta spec>PersistentVolumeSpec
  status>PersistentVolumeStatus
PersistentVolumeSpec: accessModes awsElasticBlockStore>AWSElasticBlockStoreVolumeSource
  azureDisk>AzureDiskVolumeSource azureFile>AzureFilePersistentVolumeSource capacity
  cephfs>CephFSPersistentVolumeSource cinder>CinderPersistentVolumeSource
  claimRef>ObjectReference csi>CSIPersistentVolumeSource fc>FCVolumeSource
  flexVolume>FlexPersistentVolumeSource flocker>FlockerVolumeSource
  gcePersistentDisk>GCEPersistentDiskVolumeSource glusterfs>GlusterfsPersistentVolumeSource
  hostPath>HostPathVolumeSource iscsi>ISCSIPersistentVolumeSource local>LocalVolumeSource
  mountOptions nfs>NFSVolumeSource nodeAffinity>VolumeNodeAffinity
  persistentVolumeReclaimPolicy photonPersistentDisk>PhotonPersistentDiskVolumeSource
  portworxVolume>PortworxVolumeSource quobyte>QuobyteVolumeSource rbd>RBDPersistentVolumeSource
  scaleIO>ScaleIOPersistentVolumeSource storageClassName
  storageos>StorageOSPersistentVolumeSource volumeAttributesClassName volumeMode
  vsphereVolume>VsphereVirtualDiskVolumeSource
PersistentVolumeStatus: lastPhaseTransitionTime message phase reason
RBDPersistentVolumeSource: fsType image keyring monitors pool readOnly
  secretRef>SecretReference user
ScaleIOPersistentVolumeSource: fsType gateway protectionDomain readOnly
  secretRef>SecretReference sslEnabled storageMode storagePool system volumeName
SecretReference: name namespace
StorageOSPersistentVolumeSource: fsType readOnly secretRef>ObjectReference volumeName
  volumeNamespace
TokenRequest: audience expirationSeconds
VolumeAttachment: apiVersion kind metadata>ObjectMeta spec>VolumeAttachmentSpec
  status>VolumeAttachmentStatus
VolumeAttachmentSource: inlineVolumeSpec>PersistentVolumeSpec persistentVolumeName
VolumeAttachmentSpec: attacher nodeName source>VolumeAttachmentSource
VolumeAttachmentStatus: attachError>VolumeError attached attachmentMetadata
  detachError>VolumeError
VolumeError: errorCode message time
VolumeNodeAffinity: required>NodeSelector
VolumeNodeResources: count
)";

}  // namespace batholith
