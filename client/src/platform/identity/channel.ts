/** How a session ends: the user asked for it, or the server no longer accepts it. */
export type Ending = 'signedOut' | 'sessionLost'
type News = 'signedIn' | Ending

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('garba-session')

/** Notifies the other open tabs of this browser. */
export const notifyTabs = (news: News): void => channel?.postMessage(news)

export function onTabNews(receive: (news: News) => void): void {
  channel?.addEventListener('message', ({ data }: MessageEvent<News>) => receive(data))
}
