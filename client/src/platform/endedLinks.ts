import { callServer } from './http/call.ts'
import { epochNow } from './http/epoch.ts'
import { isFailure } from './http/failure.ts'
import { userNow } from './identity/session.ts'
import { local } from './store/local.ts'

interface EndedLink {
  id: string
  by: string
  epoch: number
}

const KEY = 'garba.endedLinks'
/** Only the newest are kept; nobody ends more links than these between a backup and its restore. */
const MOST = 200

const ended = (): EndedLink[] => local.readJson(KEY) ?? []

/** Ends a link, and remembers it for a server that may forget. Throws ApiFailure. */
export async function endLinkHere(id: string): Promise<void> {
  const one = { id, by: userNow()?._id ?? '', epoch: epochNow() }
  await callServer('endLink', { params: { id } })
  saveEndedLink(one)
}

const saveEndedLink = (one: EndedLink): void =>
  local.writeJson(KEY, [...ended().filter(({ id }) => id !== one.id), one].slice(-MOST))

export const isEndedHere = (id: string): boolean => ended().some((one) => one.id === id)

let ending = false

/** Ends this person's ended links again, because a server restored from a backup may have reopened them. Never throws. */
export async function endLinksAgain(): Promise<void> {
  if (ending) return
  ending = true
  for (const one of ended())
    if (one.epoch < epochNow() && one.by === userNow()?._id)
      await endLinkHere(one.id).catch((error: unknown) => {
        // The server lost the link as well.
        if (isFailure(error) && error.code === 'LINK_UNKNOWN') saveEndedLink({ ...one, epoch: epochNow() })
      })
  ending = false
}
