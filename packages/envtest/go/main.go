// A Kubernetes control plane in one binary: its first argument, or the name it
// is called by, says which of its programs to be.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
)

var programs = map[string]func() int{
	"etcd":                    etcd,
	"kube-apiserver":          command(apiserver.NewAPIServerCommand),
	"kube-controller-manager": command(newControllerManagerCommand),
	"kubectl":                 command(kubectl.NewDefaultKubectlCommand),
}

func main() {
	if run, ok := programs[filepath.Base(os.Args[0])]; ok {
		os.Exit(run())
	}
	if len(os.Args) > 1 {
		if run, ok := programs[os.Args[1]]; ok {
			os.Args = os.Args[1:]
			os.Exit(run())
		}
	}
	names := make([]string, 0, len(programs))
	for name := range programs {
		names = append(names, name)
	}
	sort.Strings(names)
	fmt.Fprintf(os.Stderr, "usage: %s %s [flags]\n", filepath.Base(os.Args[0]), strings.Join(names, "|"))
	os.Exit(2)
}

func etcd() int {
	etcdmain.Main(os.Args)
	return 0
}

func command(newCommand func() *cobra.Command) func() int {
	return func() int { return cli.Run(newCommand()) }
}
