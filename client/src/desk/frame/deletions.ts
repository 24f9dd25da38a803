import { PAGE_SIZE, UNDO_MS } from '@garba/shared/constants'
import { type CallName, PATHS, type ParamsOf } from '@garba/shared/contracts/paths'
import { type MouseEvent, useEffect } from 'react'
import { toast } from 'sonner'
import { create } from 'zustand'
import { buildApiUrl, callServer } from '../../platform/http/call.ts'
import { getErrorMessage, networkFailure, toApiFailure } from '../../platform/http/failure.ts'
import { currentToken } from '../../platform/http/tokens.ts'
import { useSigningOut } from '../../platform/identity/session.ts'
import { DESK } from '../texts/desk.ts'
import type { Page } from './TableView.tsx'

export interface Deletion {
  id: string
  deleting: string
  call: 'deleteUser' | 'deleteTicket'
  done: string
  failed: (reason: string) => string
  reread: () => Promise<unknown>
}

/** Ids of hidden rows: about to be deleted, or deleted and perhaps still in a list that was read before. */
const useGone = create<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() }))

interface PendingDeletion {
  deletion: Deletion
  timer: ReturnType<typeof setTimeout>
  /** Each deletion has its own toast id: a toast that is leaving takes along any other with the same id. */
  toastId: ReturnType<typeof toast>
  /** Sends the deletion while the page closes; absent until there is a token. */
  sendAtClose?: () => Promise<void>
}
const waiting = new Map<string, PendingDeletion>()

/** Presses this close together are a double click, whose second press would hit the row that moved up. */
const DOUBLE_PRESS_MS = 600
let pressedAt = 0

/**
 * Deletes after 8 seconds, with Undo meanwhile: the row goes at once, the server is asked when the time is up or the
 * desk is left. Returns whether the press counted: the second press of a double click does not.
 */
export function deleteLater(deletion: Deletion, press: MouseEvent): boolean {
  const isSecond = press.detail > 1 || Math.abs(Date.now() - pressedAt) < DOUBLE_PRESS_MS
  pressedAt = Date.now()
  if (isSecond || waiting.has(deletion.id)) return false
  const { id } = deletion
  focusNextRow(press.currentTarget)
  setGone(id, true)
  const timer = setTimeout(() => void carryOut(id), UNDO_MS)
  const toastId = toast(deletion.deleting, {
    duration: Number.POSITIVE_INFINITY,
    action: { label: DESK.undo, onClick: () => undo(id) },
  })
  const entry: PendingDeletion = { deletion, timer, toastId }
  waiting.set(id, entry)
  callAtClose(deletion.call, { id }).then(
    (send) => {
      entry.sendAtClose = send
    },
    (error: unknown) => console.info('A page that closes now would not delete', error),
  )
  return true
}

function undo(id: string): void {
  clearTimeout(waiting.get(id)?.timer)
  if (waiting.delete(id)) setGone(id, false)
}

async function carryOut(id: string, { closing = false } = {}): Promise<void> {
  const entry = waiting.get(id)
  if (entry === undefined) return
  const { deletion, timer, toastId, sendAtClose } = entry
  clearTimeout(timer)
  waiting.delete(id)
  toast.dismiss(toastId)
  try {
    await (closing && sendAtClose ? sendAtClose() : callServer(deletion.call, { params: { id } }))
    toast.success(deletion.done)
  } catch (error) {
    setGone(id, false)
    toast.error(deletion.failed(getErrorMessage(error)))
  }
  await deletion.reread()
}

function setGone(id: string, gone: boolean): void {
  const ids = new Set(useGone.getState().ids)
  if (gone) ids.add(id)
  else ids.delete(id)
  useGone.setState({ ids })
}

/** The focus stays in the table, on a control whose repeated press does no harm. */
function focusNextRow(pressed: Element): void {
  const row = pressed.closest('tr')
  const next = row?.nextElementSibling ?? row?.previousElementSibling
  next?.querySelector('input')?.focus({ preventScroll: true })
}

/** Carries out what is waiting when the desk is left, the page closes or the user signs out. */
export function useDeletionsOnLeaving(): void {
  const signingOut = useSigningOut()
  useEffect(() => {
    const all = (options?: { closing: boolean }) => {
      for (const id of [...waiting.keys()]) void carryOut(id, options)
    }
    // At once, while there is still a session.
    if (signingOut) all()
    const onPageHide = () => all({ closing: true })
    window.addEventListener('pagehide', onPageHide)
    return () => {
      window.removeEventListener('pagehide', onPageHide)
      all()
    }
  }, [signingOut])
}

/** Removes hidden rows from a page and from its counts. `all` names the count of all rows. */
export function useWithoutDeleted() {
  const { ids } = useGone()
  return <Row extends { _id: string }, P extends Page['pagination'] & Record<K, number>, K extends keyof P & string>(
    rows: readonly Row[],
    pagination: P,
    all: K,
  ): { rows: Row[]; pagination: P } => {
    const left = rows.filter(({ _id }) => !ids.has(_id))
    const gone = rows.length - left.length
    if (gone === 0) return { rows: left, pagination }
    const ofAll = pagination[all] - gone
    // The other pages still have the rows that the server put there.
    const total = left.length === 0 ? Math.ceil(ofAll / PAGE_SIZE) : pagination.total
    const counts = { count: left.length, total, [all]: ofAll }
    return { rows: left, pagination: { ...pagination, ...counts } }
  }
}

/**
 * Prepares a call without a body for a page that is closing, where nothing can be awaited: the token is fetched now, and the
 * returned function sends at once. Like `call`, it throws ApiFailure if the page still exists by then.
 */
async function callAtClose<N extends CallName>(name: N, params: ParamsOf<N>): Promise<() => Promise<void>> {
  const { method, path } = PATHS[name]
  const token = await currentToken()
  return async () => {
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` }
    const headers = { accept: 'application/json', ...authorization }
    const response = await fetch(buildApiUrl(path, params), { method, keepalive: true, headers }).catch(
      (error: unknown) => {
        throw networkFailure(error)
      },
    )
    if (!response.ok) throw toApiFailure({ status: response.status, body: await response.json().catch(() => null) })
  }
}
