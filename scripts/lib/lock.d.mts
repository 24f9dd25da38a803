export function withLock<T>(options: { path: string; onWait: () => void; work: () => Promise<T> }): Promise<T>
