import { type QueryClient, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { findEmbeddedBrowser } from '../../platform/embedded.ts'
import { callServer } from '../../platform/http/call.ts'
import { isFailure } from '../../platform/http/failure.ts'
import { useOnline } from '../../platform/net/connectivity.ts'
import { MAIN_ID } from '../../platform/page.ts'
import { dropLink, type KeptLink, keepLink, linkDevice, readLinks } from '../../platform/store/links.ts'

/** `unknown`, `taken` and `ended` are the server's answers; without an answer, a link stays as last answered. */
export interface OpenLink extends KeptLink {
  state: 'asking' | 'open' | 'unanswered' | 'unknown' | 'taken' | 'ended'
  /** The name of the link's event, if the link ended with it. */
  over?: string
  notKept?: boolean
}

const KEPT = ['keptLinks']
export const ANSWERS = ['walletAnswers']

/**
 * Takes the token out of the address at once, so that it stays in no address bar, history or bookmark. A browser built into an
 * app keeps it, because its menu hands the address to the phone's own browser.
 */
function useToken(): string | null {
  const { hash, pathname } = useLocation()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [token, setToken] = useState<string | null>(null)
  // "Skip to content" leads to a place on this page.
  const given = hash === `#${MAIN_ID}` ? '' : hash.slice(1).trim()
  if (given !== '' && given !== token) setToken(given)
  useEffect(() => {
    if (given === '' || findEmbeddedBrowser() !== null) return
    void client.invalidateQueries({ queryKey: KEPT })
    void navigate(pathname, { replace: true })
  }, [given, pathname, navigate, client])
  return token
}

/** Asks again this often while the page is in view: a ticket may get a new code, or be used. */
const AGAIN_MS = 30_000

/** The links on this device, first as kept and then as the server answers. null while the device is read. */
export function useLinks(): { links: readonly OpenLink[] | null; remove: (token: string) => void } {
  const client = useQueryClient()
  const token = useToken()
  const queryKey = [...KEPT, token]
  const online = useOnline()
  const { data } = useQuery({
    queryKey,
    queryFn: () => kept(token),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const answers = useQueries({
    queries: (data ?? []).map((link) => ({
      queryKey: [...ANSWERS, link.token],
      queryFn: () => requestLink(client, link),
      staleTime: 0,
      refetchOnWindowFocus: ({ state }: LinkQuery) => !isOver(state.data),
      refetchOnReconnect: ({ state }: LinkQuery) => !isOver(state.data),
      refetchInterval: ({ state }: LinkQuery) => (online && !isOver(state.data) ? AGAIN_MS : (false as const)),
    })),
  })
  const links = data?.map((link, at): OpenLink => answers[at]?.data ?? { ...link, state: 'asking' }) ?? null
  const remove = (dropped: string) => {
    removed.add(dropped)
    // A reload must not open the removed link again.
    if (location.hash.slice(1) === dropped) history.replaceState(history.state, '', location.pathname)
    client.setQueryData(queryKey, (all: KeptLink[] | undefined) => all?.filter(({ token }) => token !== dropped))
    client.removeQueries({ queryKey: [...ANSWERS, dropped] })
    void dropLink(dropped).catch((error: unknown) => console.warn('The link could not be removed', error))
  }
  return { links, remove }
}

interface LinkQuery {
  state: { data: OpenLink | undefined }
}
const isOver = (link: OpenLink | undefined): boolean =>
  link !== undefined && ['unknown', 'taken', 'ended'].includes(link.state)

/** The kept links and the link in the address, stored before it is opened, because the address no longer has it. */
async function kept(token: string | null): Promise<KeptLink[]> {
  const all = await readLinks().catch((error: unknown) => {
    console.warn('The links kept here could not be read', error)
    return []
  })
  if (token === null || all.some((link) => link.token === token)) return all
  const fresh = { token, wallet: null, savedAt: Date.now() }
  removed.delete(token)
  await keep(fresh)
  return [...all, fresh]
}

/** Links removed while the server was asked about them, whose answers must not bring them back. */
const removed = new Set<string>()

/** Stores a link. Resolves to whether this browser keeps it. */
async function keep({ token, wallet, savedAt }: KeptLink): Promise<boolean> {
  try {
    if (!removed.has(token)) await keepLink({ token, wallet, savedAt })
    return true
  } catch (error) {
    console.warn('The link could not be kept', error)
    return false
  }
}

function parseEndedEvent(error: unknown): Pick<OpenLink, 'over'> {
  const over = isFailure(error) ? error.body.over : undefined
  return typeof over === 'string' ? { over } : {}
}

async function requestLink(client: QueryClient, onDevice: KeptLink): Promise<OpenLink> {
  const { token } = onDevice
  const shown = client.getQueryData<OpenLink>([...ANSWERS, token])
  const stored = shown ?? (await readLinks().catch(() => [])).find((link) => link.token === token) ?? onDevice
  const { state: _state, ...link }: KeptLink & Partial<OpenLink> = stored
  try {
    const body = { token, deviceId: linkDevice() }
    let { success: _, ...wallet } = await callServer('openWallet', { body })
    // Codes that are missing from the answer may be newer than those of a restored server.
    const missing = link.wallet?.tickets.filter(({ _id }) => !wallet.tickets.some((ticket) => ticket._id === _id)) ?? []
    const codes = missing.flatMap(({ qrCode }) => qrCode ?? [])
    if (codes.length > 0) ({ success: _, ...wallet } = await callServer('openWallet', { body: { ...body, codes } }))
    const answered = { token, wallet, savedAt: Date.now() }
    return { ...answered, state: 'open', ...((await keep(answered)) ? {} : { notKept: true }) }
  } catch (error) {
    const code = isFailure(error) ? error.code : null
    if (code === 'LINK_ENDED') {
      const empty = link.wallet && { ...link, wallet: { ...link.wallet, tickets: [] } }
      if (empty) await keep(empty)
      return { ...(empty ?? link), state: 'ended', ...parseEndedEvent(error) }
    }
    const isTaken = code === 'LINK_TAKEN'
    if (!isTaken && code !== 'LINK_UNKNOWN' && code !== 'VALIDATION_FAILED') return { ...link, state: 'unanswered' }
    // A server restored from a backup may not know a link whose tickets may still be valid at the gate.
    if (link.wallet !== null) return { ...link, state: 'open' }
    await dropLink(token).catch((cause: unknown) => console.warn('The link could not be removed', cause))
    return { ...link, state: isTaken ? 'taken' : 'unknown' }
  }
}
