export type News = 'history' | 'outbox' | 'roster' | 'conflicts' | 'device' | 'sales'

const listeners = new Set<(news: ReadonlySet<News>, from: 'here' | 'elsewhere') => void>()
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('garba-scanner')

channel?.addEventListener('message', ({ data }: MessageEvent<News[]>) => notify(new Set(data), 'elsewhere'))

function notify(news: ReadonlySet<News>, from: 'here' | 'elsewhere') {
  for (const listener of listeners) listener(news, from)
}

export function publishNews(...news: News[]): void {
  notify(new Set(news), 'here')
  channel?.postMessage(news)
}

export function onNews(listener: (news: ReadonlySet<News>, from: 'here' | 'elsewhere') => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
