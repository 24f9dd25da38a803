import { callServer } from '../http/call.ts'
import { useLanguage } from '../language.ts'

/** Whether the server may show notifications on this device: `off` until the person asks for them. */
export type PushState = 'on' | 'off' | 'blocked'

const isSupported = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** Null where the browser cannot, such as Safari on an iPhone before the app is installed. Waits for the worker. */
export async function readPushState(): Promise<PushState | null> {
  if (!isSupported()) return null
  const { pushManager } = await navigator.serviceWorker.ready
  if (Notification.permission === 'denied') return 'blocked'
  const subscription = await pushManager.getSubscription()
  if (!subscription || Notification.permission !== 'granted') return 'off'
  // Another person may be signed in, or the server may have been restored.
  await send(subscription)
  return 'on'
}

/** Asks for permission, so call it from a press only. Throws ApiFailure, or the browser's error. */
export async function turnPushOn(): Promise<PushState> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'blocked' : 'off'
  const { pushManager } = await navigator.serviceWorker.ready
  const { key: applicationServerKey } = await callServer('pushKey')
  // One made with another key, of before a restore, would stand in the way.
  await (await pushManager.getSubscription())?.unsubscribe()
  await send(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }))
  return 'on'
}

const send = (subscription: PushSubscription) => {
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON()
  const { language } = useLanguage.getState()
  return callServer('subscribePush', { body: { endpoint, keys: { p256dh, auth }, language } })
}

/** Throws ApiFailure. */
export async function turnPushOff(): Promise<PushState> {
  const { pushManager } = await navigator.serviceWorker.ready
  const subscription = await pushManager.getSubscription()
  if (subscription) await callServer('unsubscribePush', { body: { endpoint: subscription.endpoint } })
  await subscription?.unsubscribe()
  return 'off'
}

/** At sign-out, when the server cannot be asked any more: it learns of it from the push service. Never throws. */
export async function endPush(): Promise<void> {
  if (!isSupported()) return
  try {
    const registration = await navigator.serviceWorker.getRegistration('/')
    await (await registration?.pushManager.getSubscription())?.unsubscribe()
  } catch (error) {
    console.info('Notifications could not be turned off', error)
  }
}
