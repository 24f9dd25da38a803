type News = 'signedIn' | 'signedOut'

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('garba-session')

/** Tells the other open tabs of this browser. */
export const tellTabs = (news: News): void => channel?.postMessage(news)

export function onTabNews(hear: (news: News) => void): void {
  channel?.addEventListener('message', ({ data }: MessageEvent<News>) => hear(data))
}
