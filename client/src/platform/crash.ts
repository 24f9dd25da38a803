import { callServer } from './http/call.ts'

const MAX = { message: 2_000, stack: 16_000, name: 200, url: 2_048, userAgent: 512 }

/** Reports a crash of the page; the answer is ignored and nothing is thrown. (Spec: Calls and transport.) */
export function reportCrash(error: unknown, errorInfo?: unknown): void {
  const { message, stack, name } = error instanceof Error ? error : new Error(String(error))
  callServer('logError', {
    body: {
      error: {
        message: message.slice(0, MAX.message),
        name: name.slice(0, MAX.name),
        ...(stack === undefined ? {} : { stack: stack.slice(0, MAX.stack) }),
      },
      errorInfo,
      timestamp: new Date().toISOString(),
      url: location.href.slice(0, MAX.url),
      userAgent: navigator.userAgent.slice(0, MAX.userAgent),
    },
    retries: 0,
    keepalive: true,
  }).catch((failed: unknown) => console.info('The crash was not reported', failed))
}
