import { call } from './http/call.ts'
import { epochNow } from './http/epoch.ts'
import { isFailure } from './http/failure.ts'
import { userNow } from './identity/session.ts'
import { local } from './store/local.ts'

/** A link that was ended here: by whom, and the epoch of the server that knows of it. */
interface Ended {
  id: string
  by: string
  epoch: number
}

const KEY = 'garba.endedLinks'
/** The newest are kept; nobody ends more than these between a backup and its restore. */
const MOST = 200

const ended = (): Ended[] => (local.readJson(KEY) ?? []) as Ended[]

/** Ends a link, and remembers it for a server that may forget. Throws ApiFailure. */
export async function endLink(id: string): Promise<void> {
  const one = { id, by: userNow()?._id ?? '', epoch: epochNow() }
  await call('endLink', { params: { id } })
  note(one)
}

const note = (one: Ended): void =>
  local.writeJson(KEY, [...ended().filter(({ id }) => id !== one.id), one].slice(-MOST))

/** Whether a link was ended in this browser. */
export const isEndedHere = (id: string): boolean => ended().some((one) => one.id === id)

let ending = false

/** Ends this person's ended links again, because a server restored from a backup may have reopened them. Never throws. */
export async function endLinksAgain(): Promise<void> {
  if (ending) return
  ending = true
  for (const one of ended())
    if (one.epoch < epochNow() && one.by === userNow()?._id)
      await endLink(one.id).catch((error: unknown) => {
        // The server lost the link as well.
        if (isFailure(error) && error.code === 'LINK_UNKNOWN') note({ ...one, epoch: epochNow() })
      })
  ending = false
}
