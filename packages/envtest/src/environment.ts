/** Variables by their names. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The one place of this package that reads the process's environment. Packages take what they need as arguments; this one
 * is a developer's tool, and a test that starts a control plane must find what `KUBEBUILDER_ASSETS`, `XDG_CACHE_HOME`
 * and `PATH` say without every test file handing them on. Whoever wants another environment passes `env`.
 */
export function environment(): Environment {
  return process.env;
}
