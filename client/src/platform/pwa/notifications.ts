/// <reference lib="webworker" />

/** A declarative push message. Browsers that know the form show it themselves and do not wake the worker. */
interface DeclarativeMessage {
  web_push: 8030
  notification: NotificationOptions & { title: string; navigate: string }
}

/** Shows what the server sends to this browser. A press opens the page it names, in an open tab of the site if there is one. */
export function showPushedNotifications(worker: ServiceWorkerGlobalScope, home: string): void {
  worker.addEventListener('push', (event) => {
    if (!event.data) return
    const { title, navigate, ...options } = (event.data.json() as DeclarativeMessage).notification
    event.waitUntil(worker.registration.showNotification(title, { ...options, data: navigate }))
  })
  worker.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(openPage(worker, { address: event.notification.data as string, home }))
  })
}

async function openPage(
  { clients }: ServiceWorkerGlobalScope,
  { address, home }: { address: string; home: string },
): Promise<void> {
  const open = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const tab = open.find(({ url }) => new URL(url).pathname.startsWith(home))
  await (tab ? tab.focus() : clients.openWindow(address))
}
