import { eventDraft } from '../store/eventDraft.ts'
import { markSignedIn, wasSignedIn } from '../store/signedIn.ts'
import { type Ending, tellTabs } from './channel.ts'
import { forgetEverythingOf } from './device.ts'
import { runSessionLostHandlers } from './hooks.ts'
import { provider, startedProvider } from './provider.ts'
import { sessionNow, userNow, useSessionStore } from './session.ts'

/** The server no longer accepts the user, and a fresh token did not help. */
export async function loseSession(): Promise<void> {
  // An identity our server was not yet told of is no user it could refuse: the next sync decides.
  if (!wasSignedIn() || sessionNow().at === 'identityOnly') return
  await leaveHere({ ownTab: true, ending: 'sessionLost' })
  tellTabs('sessionLost')
  runSessionLostHandlers()
}

interface Leaving {
  ownTab: boolean
  ending: Ending
}

let leaving: Promise<void> | null = null
/** What signing out means for this tab; calls at the same time are one. Never throws. */
export function leaveHere(options: Leaving): Promise<void> {
  leaving ??= leave(options).finally(() => {
    leaving = null
  })
  return leaving
}

async function leave({ ownTab, ending }: Leaving): Promise<void> {
  const uid = userNow()?._id ?? null
  // Before anything waits: from here on nobody gets a token any more.
  markSignedIn(false)
  await forgetEverythingOf(uid)
  try {
    // Where another tab signed out it has ended the identity session; this one need not load the provider for it.
    await (await (ownTab ? provider() : startedProvider()))?.leave()
  } catch (error) {
    console.warn('The identity session is removed without its provider', error)
    indexedDB.deleteDatabase('firebaseLocalStorageDb')
  }
  useSessionStore.setState({ session: { at: 'signedOut' }, signingOut: false, lost: ending === 'sessionLost' })
  // What was typed waits for whoever lost the session. Last of all: an open form goes on keeping it until the user is gone.
  if (ending === 'signedOut') eventDraft.drop()
}
