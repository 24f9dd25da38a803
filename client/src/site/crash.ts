/** Reports a crash. Its code is fetched at the first crash, so that the first load has nothing of it. */
export function reportSiteCrash(error: unknown, errorInfo?: unknown): void {
  import('../platform/crash.ts').then(
    ({ reportCrash }) => reportCrash(error, errorInfo),
    (failed: unknown) => console.info('The crash was not reported', failed),
  )
}
