import { type ComponentProps, lazy, Suspense, useState } from 'react'

const AccountChooser = lazy(async () => ({ default: (await import('./AccountChooser.tsx')).AccountChooser }))

/** The account chooser, loaded when it is first opened; from then on it stays mounted, so that it can close with grace. */
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
