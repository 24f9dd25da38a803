import { SHELL } from '@garba/shared/messages/shell'
import { lazy, Suspense } from 'react'
import { useConfig } from '../platform/config.ts'
import { answerChooser, demoAccountOf, useChooser } from '../platform/identity/chooser.ts'

const AccountChooser = lazy(async () => ({ default: (await import('../kit/AccountChooser.tsx')).AccountChooser }))

/** The demo's account chooser inside the scanner's page. */
export const ScannerChooser = () => {
  const { open, opened } = useChooser()
  const accounts = useConfig(({ config }) => config?.demoAccounts) ?? []
  if (!opened) return null
  return (
    <Suspense fallback={null}>
      <AccountChooser
        open={open}
        accounts={accounts}
        words={SHELL.demo}
        onChoose={(chosen) => answerChooser(demoAccountOf(chosen, accounts))}
        onClose={() => answerChooser(null)}
      />
    </Suspense>
  )
}
