// The Memcached operator as a Go author who cares for speed writes it with controller-runtime:
// the yardstick that the benchmark holds beside the TypeScript one.
package main

import (
	"context"
	"flag"
	"os"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

type memcached struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              spec   `json:"spec"`
	Status            status `json:"status,omitempty"`
}

type spec struct {
	Size int32 `json:"size"`
}

type status struct {
	Nodes      []string           `json:"nodes"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

type memcachedList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []memcached `json:"items"`
}

func (m *memcached) DeepCopyObject() runtime.Object {
	c := *m
	c.ObjectMeta = *m.ObjectMeta.DeepCopy()
	c.Status.Nodes = slices.Clone(m.Status.Nodes)
	c.Status.Conditions = slices.Clone(m.Status.Conditions)
	return &c
}

func (l *memcachedList) DeepCopyObject() runtime.Object {
	c := *l
	c.Items = make([]memcached, len(l.Items))
	for i := range l.Items {
		c.Items[i] = *l.Items[i].DeepCopyObject().(*memcached)
	}
	return &c
}

type reconciler struct {
	client.Client
}

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var m memcached
	if err := r.Get(ctx, req.NamespacedName, &m); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var found appsv1.Deployment
	err := r.Get(ctx, req.NamespacedName, &found)
	switch {
	case apierrors.IsNotFound(err):
		found = *deploymentFor(&m)
		if err := ctrl.SetControllerReference(&m, &found, r.Scheme()); err != nil {
			return ctrl.Result{}, err
		}
		if err := r.Create(ctx, &found); err != nil {
			return ctrl.Result{}, err
		}
	case err != nil:
		return ctrl.Result{}, err
	case found.Spec.Replicas == nil || *found.Spec.Replicas != m.Spec.Size:
		found.Spec.Replicas = &m.Spec.Size
		if err := r.Update(ctx, &found); err != nil {
			return ctrl.Result{}, err
		}
	}
	changed := m.Status.Nodes == nil
	if changed {
		m.Status.Nodes = []string{}
	}
	ready := metav1.Condition{Type: "Ready", Status: metav1.ConditionFalse, Reason: "MinimumReplicasUnavailable", ObservedGeneration: m.Generation}
	if found.Status.ReadyReplicas >= m.Spec.Size {
		ready.Status, ready.Reason = metav1.ConditionTrue, "MinimumReplicasAvailable"
	}
	if meta.SetStatusCondition(&m.Status.Conditions, ready) || changed {
		return ctrl.Result{}, r.Status().Update(ctx, &m)
	}
	return ctrl.Result{}, nil
}

func deploymentFor(m *memcached) *appsv1.Deployment {
	labels := map[string]string{"app": "memcached", "memcached_cr": m.Name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: m.Name, Namespace: m.Namespace, Labels: labels},
		Spec: appsv1.DeploymentSpec{
			Replicas: &m.Spec.Size,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{
					Name:    "memcached",
					Image:   "memcached:1.4.36-alpine",
					Command: []string{"memcached", "-m=64", "-o", "modern", "-v"},
					Ports:   []corev1.ContainerPort{{Name: "memcached", ContainerPort: 11211}},
				}}},
			},
		},
	}
}

func main() {
	workers := flag.Int("workers", 8, "reconciles at once")
	flag.Parse()
	ctrl.SetLogger(zap.New())
	if err := run(*workers); err != nil {
		ctrl.Log.Error(err, "the operator ends")
		os.Exit(1)
	}
}

func run(workers int) error {
	group := schema.GroupVersion{Group: "cache.example.com", Version: "v1alpha1"}
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	scheme.AddKnownTypeWithName(group.WithKind("Memcached"), &memcached{})
	scheme.AddKnownTypeWithName(group.WithKind("MemcachedList"), &memcachedList{})
	metav1.AddToGroupVersion(scheme, group)

	connection, err := config.GetConfig()
	if err != nil {
		return err
	}
	connection.QPS = -1
	connection.UserAgent = "go-memcached-operator/1"
	manager, err := ctrl.NewManager(connection, ctrl.Options{Scheme: scheme, Metrics: server.Options{BindAddress: "0"}})
	if err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(manager).
		For(&memcached{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&appsv1.Deployment{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
		Complete(&reconciler{manager.GetClient()})
	if err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}
