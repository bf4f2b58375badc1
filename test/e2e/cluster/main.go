// Cluster is every part of a Kubernetes control plane in one program, for the tests of this repository: the name of
// a part, as the first argument or as the name the program is called by, says which one runs.
package main

import (
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	kubectl "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

var parts = []string{"pki", "etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl"}

func main() {
	name := filepath.Base(os.Args[0])
	if !slices.Contains(parts, name) {
		if len(os.Args) < 2 || !slices.Contains(parts, os.Args[1]) {
			fmt.Fprintf(os.Stderr, "usage: %s PART [ARGUMENT...], where PART is one of %v\n", name, parts)
			os.Exit(2)
		}
		// The parts read os.Args themselves.
		os.Args = os.Args[1:]
		name = os.Args[0]
	}
	switch name {
	case "pki":
		runPki()
	case "etcd":
		runEtcd()
	case "kubectl":
		if err := cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()); err != nil {
			kubectlutil.CheckErr(err)
		}
	case "kube-apiserver":
		run(apiserver.NewAPIServerCommand())
	case "kube-controller-manager":
		run(controllermanager.NewControllerManagerCommand())
	case "kube-scheduler":
		run(scheduler.NewSchedulerCommand())
	}
}

func run(command *cobra.Command) { os.Exit(cli.Run(command)) }

// runEtcd serves one member without syncing the disk, since a test's data need not outlive a power cut.
func runEtcd() {
	flags := flag.NewFlagSet("etcd", flag.ExitOnError)
	dir := flags.String("data-dir", "", "where the data is kept")
	client := flags.String("listen-client-url", "", "http://127.0.0.1:PORT")
	peer := flags.String("listen-peer-url", "", "http://127.0.0.1:PORT")
	_ = flags.Parse(os.Args[1:])
	config := embed.NewConfig()
	config.Dir = *dir
	config.UnsafeNoFsync = true
	config.LogLevel = "warn"
	config.ListenClientUrls = []url.URL{mustParse(*client)}
	config.AdvertiseClientUrls = config.ListenClientUrls
	config.ListenPeerUrls = []url.URL{mustParse(*peer)}
	config.AdvertisePeerUrls = config.ListenPeerUrls
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	// On a busy machine a heartbeat may come late; a lone member has nobody to lose an election to.
	config.TickMs = 500
	config.ElectionMs = 5000
	// Large lists of a test in one transaction.
	config.QuotaBackendBytes = 4 << 30
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		fail(err)
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	select {
	case <-etcd.Server.ReadyNotify():
	case <-time.After(2 * time.Minute):
		fail(fmt.Errorf("etcd is not ready after two minutes"))
	case err := <-etcd.Err():
		fail(err)
	}
	select {
	case <-stop:
		etcd.Close()
	case err := <-etcd.Err():
		fail(err)
	}
}

func mustParse(text string) url.URL {
	parsed, err := url.Parse(text)
	if err != nil || parsed.Host == "" {
		fail(fmt.Errorf("%q is no URL of an address", text))
	}
	return *parsed
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, os.Args[0]+":", err)
	os.Exit(1)
}
