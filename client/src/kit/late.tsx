import { type ComponentProps, type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'

/**
 * A component whose code is fetched when it is first rendered, or ahead with `load`; `waiting` shows until then. React's own
 * lazy() keeps its fallback for at least 0.3 s, which a first screen cannot spare. A failure to fetch it is thrown to the
 * error boundary; the next time it is rendered it is fetched again.
 */
export function createLazyComponent<Props extends object>(
  fetch: () => Promise<{ default: ComponentType<Props> }>,
  waiting: ReactNode,
): ComponentType<Props> & { load: () => Promise<void> } {
  let fetched: ComponentType<Props> | null = null
  const load = async () => {
    fetched = (await fetch()).default
  }
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each component, at the top of a module
  function Late(props: Props) {
    const [Component, setComponent] = useState(() => fetched)
    const [failure, setFailure] = useState<{ error: unknown } | null>(null)
    useEffect(() => {
      if (Component !== null) return
      load().then(
        () => setComponent(() => fetched),
        (error: unknown) => setFailure({ error }),
      )
    }, [Component])
    if (failure !== null) throw failure.error
    return Component === null ? waiting : <Component {...props} />
  }
  return Object.assign(Late, { load })
}

const AccountChooser = lazy(async () => ({ default: (await import('./AccountChooser.tsx')).AccountChooser }))

/** The account chooser, loaded when first opened. It then stays mounted, so that its closing animation can run. */
export const LateAccountChooser = (props: ComponentProps<typeof AccountChooser>) => {
  const [opened, setOpened] = useState(props.open)
  if (props.open && !opened) setOpened(true)
  if (!opened) return null
  return (
    <Suspense fallback={null}>
      <AccountChooser {...props} />
    </Suspense>
  )
}
