// Writes what an API server would send as protobuf of each sample x.json beside this folder, with Kubernetes' own code, to
// x.pb: an envelope, or the frame of a watch (without its length) where the sample is {"type": ..., "object": ...}.
//
//	cd test/codec/kube_wire/make && go run .
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"os"
	"path/filepath"
	"strings"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

var scheme = runtime.NewScheme()

func envelope(manifest []byte) []byte {
	object, _, err := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer().Decode(manifest, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	var out bytes.Buffer
	if err := protobuf.NewSerializer(scheme, scheme).Encode(object, &out); err != nil {
		log.Fatal(err)
	}
	return out.Bytes()
}

func wire(sample []byte) []byte {
	var event struct {
		Type   string
		Object json.RawMessage
	}
	if err := json.Unmarshal(sample, &event); err != nil {
		log.Fatal(err)
	}
	if event.Type == "" || event.Object == nil {
		return envelope(sample)
	}
	frame := metav1.WatchEvent{Type: event.Type, Object: runtime.RawExtension{Raw: envelope(event.Object)}}
	out, err := frame.Marshal()
	if err != nil {
		log.Fatal(err)
	}
	return out
}

func main() {
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, policyv1.AddToScheme, schedulingv1.AddToScheme} {
		if err := add(scheme); err != nil {
			log.Fatal(err)
		}
	}
	samples, _ := filepath.Glob("../*.json")
	for _, path := range samples {
		sample, err := os.ReadFile(path)
		if err != nil {
			log.Fatal(err)
		}
		log.Print(path)
		if err := os.WriteFile(strings.TrimSuffix(path, ".json")+".pb", wire(sample), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
