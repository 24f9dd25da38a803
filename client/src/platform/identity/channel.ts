/** How a session ends: the user asked for it, or the server no longer accepts it. */
export type Ending = 'signedOut' | 'sessionLost'
type News = 'signedIn' | Ending

/** The server renders pages too, and an open channel would keep its process from ending. */
const isPage = typeof window !== 'undefined' && typeof BroadcastChannel !== 'undefined'
const channel = isPage ? new BroadcastChannel('garba-session') : null

/** Notifies the other open tabs of this browser. */
export const notifyTabs = (news: News): void => channel?.postMessage(news)

export function onTabNews(receive: (news: News) => void): void {
  channel?.addEventListener('message', ({ data }: MessageEvent<News>) => receive(data))
}
