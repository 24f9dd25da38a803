import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

/**
 * A component whose code is fetched when it is first rendered; `waiting` shows until then. React's own lazy() keeps its
 * fallback for at least 0.3 s, which a first screen cannot spare. A failure to fetch it is thrown to the error boundary.
 */
export function late<Props extends object>(
  fetch: () => Promise<{ default: ComponentType<Props> }>,
  waiting: ReactNode,
): ComponentType<Props> {
  let fetched: ComponentType<Props> | null = null
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each component, at the top of a module
  return function Late(props: Props) {
    const [Component, setComponent] = useState(() => fetched)
    const [failure, setFailure] = useState<{ error: unknown } | null>(null)
    useEffect(() => {
      if (Component !== null) return
      fetch().then(
        (module) => {
          fetched = module.default
          setComponent(() => fetched)
        },
        (error: unknown) => setFailure({ error }),
      )
    }, [Component])
    if (failure !== null) throw failure.error
    return Component === null ? waiting : <Component {...props} />
  }
}
