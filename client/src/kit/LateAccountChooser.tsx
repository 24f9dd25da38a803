import { type ComponentProps, lazy, Suspense, useState } from 'react'

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
