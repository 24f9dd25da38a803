import { create } from 'zustand'
import { useConfig } from '../config.ts'
import type { DemoAccount } from './firebase.ts'

const useChooser = create<{ answer: ((account: DemoAccount | null) => void) | null }>(() => ({ answer: null }))

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

export function useDemoChooser() {
  const answer = useChooser((store) => store.answer)
  const accounts = useConfig(({ config }) => config?.demoAccounts) ?? []
  return {
    open: answer !== null,
    accounts,
    onChoose: (chosen: { name: string; email: string }) => answer?.(buildDemoAccount(chosen, accounts)),
    onClose: () => answer?.(null),
  }
}

/**
 * The account in the form for the identity provider. An account that is not on the list is identified by its email, so
 * that the same person finds the same tickets again.
 */
export function buildDemoAccount(
  { name, email }: { name: string; email: string },
  listed: readonly { uid: string; email: string }[],
): DemoAccount {
  const plain = email.trim().toLowerCase()
  const known = listed.find((account) => account.email === plain)
  return { sub: known?.uid ?? plain, email: plain, name: name.trim() }
}
