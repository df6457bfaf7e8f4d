package main

import (
	"context"
	"fmt"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apiserver/pkg/quota/v1/generic"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/scale"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/controller-manager/pkg/informerfactory"
	"k8s.io/klog/v2"
	pkgcontroller "k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/clusterroleaggregation"
	"k8s.io/kubernetes/pkg/controller/deployment"
	"k8s.io/kubernetes/pkg/controller/disruption"
	"k8s.io/kubernetes/pkg/controller/garbagecollector"
	"k8s.io/kubernetes/pkg/controller/namespace"
	"k8s.io/kubernetes/pkg/controller/replicaset"
	"k8s.io/kubernetes/pkg/controller/resourcequota"
	"k8s.io/kubernetes/pkg/controller/serviceaccount"
	"k8s.io/kubernetes/pkg/controller/statefulset"
	quotainstall "k8s.io/kubernetes/pkg/quota/v1/install"
)

const (
	workers = 5
	// The garbage collector learns of a new kind, and so of its objects' deletion, no later than this.
	discoveryPeriod = time.Second
)

type options struct {
	kubeconfig  string
	controllers []string
	qps         float32
	burst       int
}

// newControllerManagerCommand is a kube-controller-manager of the controllers
// that operators lean on. Its flags are the upstream program's, by name.
func newControllerManagerCommand() *cobra.Command {
	var o options
	command := &cobra.Command{
		Use:          "kube-controller-manager",
		SilenceUsage: true,
		RunE: func(*cobra.Command, []string) error {
			ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			return run(ctx, o)
		},
	}
	flags := command.Flags()
	flags.StringVar(&o.kubeconfig, "kubeconfig", "", "file that says where the API server is")
	flags.StringSliceVar(&o.controllers, "controllers", []string{"*"}, "controllers to run, by upstream's names")
	flags.Float32Var(&o.qps, "kube-api-qps", 5000, "requests a second")
	flags.IntVar(&o.burst, "kube-api-burst", 10000, "requests at once")
	// Given to upstream's program, to which they are of use.
	flags.Bool("leader-elect", false, "of no effect: there is no other to contend with")
	flags.Int("secure-port", 0, "of no effect: nothing is served")
	return command
}

// platform is what each controller is built from.
type platform struct {
	config    *rest.Config
	client    kubernetes.Interface
	metadata  metadata.Interface
	informers informers.SharedInformerFactory
	objects   informerfactory.InformerFactory
	mapper    *restmapper.DeferredDiscoveryRESTMapper
	started   chan struct{}
}

var constructors = map[string]func(context.Context, platform) (func(context.Context), error){
	"clusterrole-aggregation-controller": newClusterRoleAggregation,
	"deployment-controller":              newDeployment,
	"disruption-controller":              newDisruption,
	"garbage-collector-controller":       newGarbageCollector,
	"namespace-controller":               newNamespace,
	"replicaset-controller":              newReplicaSet,
	"resourcequota-controller":           newResourceQuota,
	"serviceaccount-controller":          newServiceAccount,
	"statefulset-controller":             newStatefulSet,
}

func run(ctx context.Context, o options) error {
	p, err := newPlatform(o)
	if err != nil {
		return err
	}
	names, err := wanted(o.controllers)
	if err != nil {
		return err
	}
	var loops []func(context.Context)
	for _, name := range names {
		loop, err := constructors[name](ctx, p)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		loops = append(loops, loop)
	}
	p.informers.Start(ctx.Done())
	p.objects.Start(ctx.Done())
	close(p.started)
	for _, loop := range loops {
		go loop(ctx)
	}
	<-ctx.Done()
	return nil
}

func wanted(controllers []string) ([]string, error) {
	var names []string
	for _, name := range controllers {
		if name == "*" {
			for each := range constructors {
				names = append(names, each)
			}
		} else if _, ok := constructors[name]; ok {
			names = append(names, name)
		} else if !strings.HasPrefix(name, "-") {
			return nil, fmt.Errorf("no controller is named %q", name)
		}
	}
	return names, nil
}

func newPlatform(o options) (platform, error) {
	config, err := clientcmd.BuildConfigFromFlags("", o.kubeconfig)
	if err != nil {
		return platform{}, err
	}
	config.QPS, config.Burst = o.qps, o.burst
	config.UserAgent = "kube-controller-manager"
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return platform{}, err
	}
	metadataClient, err := metadata.NewForConfig(config)
	if err != nil {
		return platform{}, err
	}
	shared := informers.NewSharedInformerFactory(client, 0)
	return platform{
		config:    config,
		client:    client,
		metadata:  metadataClient,
		informers: shared,
		objects:   informerfactory.NewInformerFactory(shared, metadatainformer.NewSharedInformerFactory(metadataClient, 0)),
		mapper:    restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client.Discovery())),
		started:   make(chan struct{}),
	}, nil
}

func newDeployment(ctx context.Context, p platform) (func(context.Context), error) {
	apps := p.informers.Apps().V1()
	c, err := deployment.NewDeploymentController(ctx, apps.Deployments(), apps.ReplicaSets(), p.informers.Core().V1().Pods(), p.client)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) { c.Run(ctx, workers) }, nil
}

func newReplicaSet(ctx context.Context, p platform) (func(context.Context), error) {
	c := replicaset.NewReplicaSetController(ctx, p.informers.Apps().V1().ReplicaSets(), p.informers.Core().V1().Pods(), p.client, replicaset.BurstReplicas)
	return func(ctx context.Context) { c.Run(ctx, workers) }, nil
}

func newStatefulSet(ctx context.Context, p platform) (func(context.Context), error) {
	apps, core := p.informers.Apps().V1(), p.informers.Core().V1()
	c := statefulset.NewStatefulSetController(ctx, core.Pods(), apps.StatefulSets(), core.PersistentVolumeClaims(), apps.ControllerRevisions(), p.client)
	return func(ctx context.Context) { c.Run(ctx, workers) }, nil
}

func newDisruption(ctx context.Context, p platform) (func(context.Context), error) {
	resolver := scale.NewDiscoveryScaleKindResolver(p.client.Discovery())
	scales, err := scale.NewForConfig(p.config, p.mapper, dynamic.LegacyAPIPathResolverFunc, resolver)
	if err != nil {
		return nil, err
	}
	apps, core := p.informers.Apps().V1(), p.informers.Core().V1()
	c := disruption.NewDisruptionController(ctx, core.Pods(), p.informers.Policy().V1().PodDisruptionBudgets(), core.ReplicationControllers(),
		apps.ReplicaSets(), apps.Deployments(), apps.StatefulSets(), p.client, p.mapper, scales, p.client.Discovery())
	return func(ctx context.Context) { c.Run(ctx, workers) }, nil
}

func newNamespace(ctx context.Context, p platform) (func(context.Context), error) {
	c := namespace.NewNamespaceController(ctx, p.client, p.metadata, p.client.Discovery().ServerPreferredNamespacedResources,
		p.informers.Core().V1().Namespaces(), 5*time.Minute, v1.FinalizerKubernetes)
	return func(ctx context.Context) { c.Run(ctx, workers) }, nil
}

func newClusterRoleAggregation(_ context.Context, p platform) (func(context.Context), error) {
	c := clusterroleaggregation.NewClusterRoleAggregation(p.informers.Rbac().V1().ClusterRoles(), p.client.RbacV1())
	return func(ctx context.Context) { c.Run(ctx, workers) }, nil
}

func newResourceQuota(ctx context.Context, p platform) (func(context.Context), error) {
	resources := p.client.Discovery().ServerPreferredNamespacedResources
	quotas, err := quotainstall.NewQuotaConfigurationForControllers(generic.ListerFuncForResourceFunc(p.informers.ForResource), p.informers)
	if err != nil {
		return nil, err
	}
	c, err := resourcequota.NewController(ctx, &resourcequota.ControllerOptions{
		QuotaClient:               p.client.CoreV1(),
		ResourceQuotaInformer:     p.informers.Core().V1().ResourceQuotas(),
		ResyncPeriod:              pkgcontroller.StaticResyncPeriodFunc(5 * time.Minute),
		InformerFactory:           p.objects,
		ReplenishmentResyncPeriod: pkgcontroller.StaticResyncPeriodFunc(12 * time.Hour),
		DiscoveryFunc:             resources,
		IgnoredResourcesFunc:      quotas.IgnoredResources,
		InformersStarted:          p.started,
		Registry:                  generic.NewRegistry(quotas.Evaluators()),
		UpdateFilter:              quotainstall.DefaultUpdateFilter(),
	})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) {
		go c.Sync(ctx, resources, 30*time.Second)
		c.Run(ctx, workers)
	}, nil
}

func newServiceAccount(ctx context.Context, p platform) (func(context.Context), error) {
	core := p.informers.Core().V1()
	c, err := serviceaccount.NewServiceAccountsController(klog.FromContext(ctx), core.ServiceAccounts(), core.Namespaces(), p.client,
		serviceaccount.DefaultServiceAccountsControllerOptions())
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) { c.Run(ctx, workers) }, nil
}

func newGarbageCollector(ctx context.Context, p platform) (func(context.Context), error) {
	c, err := garbagecollector.NewGarbageCollector(ctx, p.client, p.metadata, p.mapper, garbagecollector.DefaultIgnoredResources(), p.objects, p.started)
	if err != nil {
		return nil, err
	}
	var resources discovery.ServerResourcesInterface = p.client.Discovery()
	return func(ctx context.Context) {
		go c.Sync(ctx, resources, discoveryPeriod)
		c.Run(ctx, 20, discoveryPeriod)
	}, nil
}
