import { PAIR_PAGE } from '@garba/shared/contracts/site/pages'
import { readPairingCode } from '@garba/shared/rules/phones/pairingCode'
import { create } from 'zustand'
import { useConfig } from '../../platform/config.ts'

/** The code after the # of the page's address. The organiser's QR opens that address in a phone's own camera app. */
export const useLinkCode = create<{ code: string | null }>(() => ({ code: null }))

/** Takes the code out of the address at once, so that it stays in no history and no bookmark. */
export function takeLinkCode(): void {
  if (location.pathname !== PAIR_PAGE || location.hash === '') return
  useLinkCode.setState({ code: readPairingCode(location.hash) })
  history.replaceState(history.state, '', PAIR_PAGE)
}

/** Sorts a QR that was scanned to pair a phone. Only an address of this site can carry a code. */
export function codeInQr(text: string): { type: 'code'; code: string } | { type: 'ticket' | 'other' } {
  if (/^G[RGB]1:/.test(text)) return { type: 'ticket' }
  const url = URL.canParse(text) ? new URL(text) : null
  const code = url !== null && isOurs(url) ? readPairingCode(url.hash) : null
  return code === null ? { type: 'other' } : { type: 'code', code }
}

function isOurs({ origin, pathname }: URL): boolean {
  const publicUrl = useConfig.getState().config?.publicUrl
  const origins = [location.origin, ...(publicUrl === undefined ? [] : [new URL(publicUrl).origin])]
  return pathname === PAIR_PAGE && origins.includes(origin)
}
