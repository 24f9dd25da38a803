import { useCallback, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { call } from '../../platform/http/call.ts'
import { isFailure } from '../../platform/http/failure.ts'
import { useOnline } from '../../platform/net/connectivity.ts'
import { dropLink, type KeptLink, keepLink, linkDevice, readLinks } from '../../platform/store/links.ts'

/** `unknown` and `ended` are the server's word; a link without one is shown as it was last answered. */
export type LinkState = 'asking' | 'open' | 'unanswered' | 'unknown' | 'ended'
export interface OpenLink extends KeptLink {
  state: LinkState
  /** This browser refuses to keep it. */
  notKept?: boolean
}

/** Takes the token out of the address at once: it must not stay in the bar, the history or a bookmark. */
function useToken(): string | null {
  const { hash, pathname } = useLocation()
  const navigate = useNavigate()
  const [token, setToken] = useState<string | null>(null)
  const given = hash.slice(1).trim()
  if (given !== '' && given !== token) setToken(given)
  useEffect(() => {
    if (given !== '') void navigate(pathname, { replace: true })
  }, [given, pathname, navigate])
  return token
}

/** Asks again this often while the page is in view: a ticket may get a new code, or be used. */
const AGAIN_MS = 30_000

/** The links on this device, first as kept and then as the server answers. null while the device is read. */
export function useLinks(): { links: readonly OpenLink[] | null; remove: (token: string) => void } {
  const token = useToken()
  const online = useOnline()
  const [links, setLinks] = useState<readonly OpenLink[] | null>(null)
  const put = useCallback(
    (link: OpenLink) =>
      setLinks((all) =>
        all?.some((one) => one.token === link.token)
          ? all.map((one) => (one.token === link.token ? link : one))
          : [...(all ?? []), link],
      ),
    [],
  )
  const ask = useCallback(async (link: KeptLink) => put(await asked(link)), [put])

  useEffect(() => {
    let gone = false
    void kept(token).then((all) => {
      if (gone) return
      setLinks(all.map((link) => ({ ...link, state: 'asking' })))
      for (const link of all) void ask(link)
    })
    return () => {
      gone = true
    }
  }, [token, ask])

  const tokensOf = (...states: LinkState[]) =>
    links?.flatMap(({ token, state }) => (states.includes(state) ? token : [])).join() ?? ''
  const tokens = tokensOf('open', 'unanswered')
  const unanswered = tokensOf('unanswered')
  useEffect(() => {
    if (!online || tokens === '') return
    const look = async (which = tokens) => {
      if (document.visibilityState !== 'visible') return
      const all = await readLinks().catch(() => [])
      for (const link of all) if (which.includes(link.token)) void ask(link)
    }
    // The connection is back: what had no answer is asked about at once.
    if (unanswered !== '') void look(unanswered)
    const now = () => void look()
    const timer = setInterval(now, AGAIN_MS)
    document.addEventListener('visibilitychange', now)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', now)
    }
  }, [online, tokens, unanswered, ask])

  const remove = (gone: string) => {
    setLinks((all) => all?.filter((one) => one.token !== gone) ?? null)
    void dropLink(gone).catch((error: unknown) => console.warn('The link could not be removed', error))
  }
  return { links, remove }
}

/** The kept links with the one in the address, which is kept before it is opened: the address no longer has it. */
async function kept(token: string | null): Promise<KeptLink[]> {
  const all = await readLinks().catch((error: unknown) => {
    console.warn('The links kept here could not be read', error)
    return []
  })
  if (token === null || all.some((link) => link.token === token)) return all
  const fresh = { token, wallet: null, savedAt: Date.now() }
  await keepLink(fresh).catch((error: unknown) => console.warn('The link could not be kept', error))
  return [...all, fresh]
}

async function asked(link: KeptLink): Promise<OpenLink> {
  const { token } = link
  try {
    const { success: _, ...wallet } = await call('openWallet', { body: { token, deviceId: linkDevice() } })
    const answered = { token, wallet, savedAt: Date.now() }
    const isKept = await keepLink(answered).then(
      () => true,
      () => false,
    )
    return { ...answered, state: 'open', ...(isKept ? {} : { notKept: true }) }
  } catch (error) {
    const code = isFailure(error) ? error.code : null
    if (code === 'LINK_ENDED') return ended(link)
    // A server restored from a backup may not know a link; what it once opened may still be valid at the gate.
    if (code === 'LINK_UNKNOWN' || code === 'VALIDATION_FAILED')
      return link.wallet === null ? forgotten(link) : { ...link, state: 'open' }
    return { ...link, state: 'unanswered' }
  }
}

/** An ended link's codes are no longer shown here. */
async function ended(link: KeptLink): Promise<OpenLink> {
  const empty = link.wallet && { ...link, wallet: { ...link.wallet, tickets: [] } }
  if (empty) await keepLink(empty).catch((error: unknown) => console.warn('The link could not be kept', error))
  return { ...(empty ?? link), state: 'ended' }
}

async function forgotten(link: KeptLink): Promise<OpenLink> {
  await dropLink(link.token).catch((error: unknown) => console.warn('The link could not be removed', error))
  return { ...link, state: 'unknown' }
}
