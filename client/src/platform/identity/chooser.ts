import { SHELL } from '@garba/shared/messages/common'
import { create } from 'zustand'
import { useConfig } from '../config.ts'
import type { DemoAccount } from './firebase.ts'

/** The demo's stand-in for Google's account chooser: open while a sign-in waits for it. */
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

/** The props of kit's account chooser, for a shell's dialog. */
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
 * The account in the form for the identity provider. An account that is not on the list is identified by its email, so
 * that the same person finds the same tickets again.
 */
export function demoAccountOf(
  { name, email }: { name: string; email: string },
  listed: readonly { uid: string; email: string }[],
): DemoAccount {
  const plain = email.trim().toLowerCase()
  const known = listed.find((account) => account.email === plain)
  return { sub: known?.uid ?? plain, email: plain, name: name.trim() }
}
