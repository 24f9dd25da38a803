import { SHELL } from '@garba/shared/messages/common'
import { create } from 'zustand'
import { useConfig } from '../config.ts'
import type { DemoAccount } from './firebase.ts'

/** The demo's stand-in for Google's account chooser: it is open while somebody waits for its answer. */
const useChooser = create<{ answer: ((account: DemoAccount | null) => void) | null }>(() => ({ answer: null }))

/** Opens the chooser and resolves to the account, or to null when it was closed. */
export function chooseDemoAccount(): Promise<DemoAccount | null> {
  useChooser.getState().answer?.(null)
  return new Promise((resolve) => {
    useChooser.setState({
      answer: (account) => {
        useChooser.setState({ answer: null })
        resolve(account)
      },
    })
  })
}

/** What the dialog of a shell shows and answers: the props of kit's account chooser. */
export function useDemoChooser() {
  const answer = useChooser((store) => store.answer)
  const accounts = useConfig(({ config }) => config?.demoAccounts) ?? []
  return {
    open: answer !== null,
    accounts,
    words: SHELL.demo,
    onChoose: (chosen: { name: string; email: string }) => answer?.(demoAccountOf(chosen, accounts)),
    onClose: () => answer?.(null),
  }
}

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
