import type { GroupCode, Ticket } from '@garba/shared/contracts/ticket'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../platform/http/call.ts'
import { userNow } from '../../platform/identity/session.ts'
import { KEYS } from '../../platform/queries.ts'
import { readGroupCodes, saveGroupCodes } from '../../platform/store/wallet.ts'

/** Enough of a signature to tell it from others. */
const TAIL = 8
const NONE: readonly GroupCode[] = []

/**
 * The codes of groups for the user's active tickets (DECISIONS 9): what this device stores, or the server's when the tickets
 * have changed since, which are stored in turn. None for a single ticket, and while they cannot be had.
 */
export function useGroupCodes(userId: string | null, tickets: readonly Ticket[] | undefined): readonly GroupCode[] {
  // By the tickets' own codes: a new signing key changes them, and the groups' codes with them.
  const tails = useMemo(() => {
    const codes = tickets?.flatMap(({ qrCode }) => (qrCode === null ? [] : [qrCode.slice(-TAIL)])) ?? []
    return codes.length > 1 ? codes.toSorted().join('') : null
  }, [tickets])
  const { data } = useQuery({
    queryKey: [...KEYS.groupCodes, userId, tails],
    queryFn: ({ signal }) => storedOrAsked({ userId: userId ?? '', tails: tails ?? '', signal }),
    enabled: userId !== null && tails !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data ?? NONE
}

interface Wanted {
  userId: string
  tails: string
  signal: AbortSignal
}

async function storedOrAsked({ userId, tails, signal }: Wanted): Promise<readonly GroupCode[]> {
  const stored = await readGroupCodes(userId).catch(note('The group codes kept here could not be read'))
  if (stored?.tails === tails) return stored.groups
  const { groups } = await call('groupCodes', { signal })
  // Checked in the turn in which the write begins, so that it cannot overtake a sign-out.
  if (userNow()?._id === userId)
    await saveGroupCodes({ userId, tails, groups }).catch(note('The group codes could not be kept for offline use'))
  return groups
}

const note = (what: string) => (error: unknown) => {
  console.warn(what, error)
  return null
}
