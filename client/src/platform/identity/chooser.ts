import { create } from 'zustand'
import type { DemoAccount } from './firebase.ts'

interface Chooser {
  open: boolean
  /** It was open at least once: from then on its dialog stays mounted, so that it can close with grace. */
  opened: boolean
  answer: ((account: DemoAccount | null) => void) | null
}

/** The demo's stand-in for Google's account chooser; a shell shows the dialog while it is open. */
export const useChooser = create<Chooser>(() => ({ open: false, opened: false, answer: null }))

/** Opens the chooser and resolves to the account, or to null when it was closed. */
export function chooseDemoAccount(): Promise<DemoAccount | null> {
  useChooser.getState().answer?.(null)
  return new Promise((resolve) => {
    useChooser.setState({
      open: true,
      opened: true,
      answer: (account) => {
        useChooser.setState({ open: false, answer: null })
        resolve(account)
      },
    })
  })
}
export const answerChooser = (account: DemoAccount | null): void => useChooser.getState().answer?.(account)

/**
 * What the identity provider is told of a chosen account. One that is not on the list has its email for an identity, so
 * that the same one comes back to the same tickets.
 */
export function demoAccountOf(
  { name, email }: { name: string; email: string },
  listed: readonly { uid: string; email: string }[],
): DemoAccount {
  const plain = email.trim().toLowerCase()
  const known = listed.find((account) => account.email === plain)
  return { sub: known?.uid ?? plain, email: plain, name: name.trim() }
}
